// Reads the JSON Schema of scene files together with a scene's values, and says what can be changed.
//
// A leaf is { path, kind, value, title, help, unit, words, whole, least }: a number, a vector, numbers
// with times (keys), a number that may be "off", a switch, a word or a colour. A group has children.

/** Follows references; of several forms, takes the one that the value has. */
export function resolve(root, schema, value) {
  let form = schema;
  for (let depth = 0; depth < 12; depth++) {
    if (form.$ref) {
      const { $ref, ...rest } = form;
      form = { ...root.$defs[$ref.split("/").at(-1)], ...rest };
    } else if (form.anyOf && !isLimit(form)) {
      const { anyOf, ...rest } = form;
      const forms = anyOf.filter((one) => one.type !== "null");
      const fitting = forms.find((one) => fits(resolve(root, one, value), value)) ?? forms[0];
      form = { ...fitting, ...rest };
    } else {
      break;
    }
  }
  return form;
}

function isLimit(form) {
  return form.anyOf.length === 2 && form.anyOf.some((one) => one.const === "off");
}

function typesOf(form) {
  return [form.type ?? []].flat();
}

function fits(form, value) {
  const types = typesOf(form);
  if (value === undefined || value === null) return true;
  if (typeof value === "number") return types.includes("number") || types.includes("integer") || Boolean(form.anyOf);
  if (typeof value === "boolean") return types.includes("boolean");
  if (typeof value === "string") return types.includes("string") || Boolean(form.oneOf || form.enum || form.anyOf);
  if (Array.isArray(value)) {
    if (!types.includes("array")) return false;
    const nested = Array.isArray(value[0]);
    const wantsNested = Boolean(form.items?.items);
    return !form.items || nested === wantsNested || Boolean(form.items.$ref);
  }
  return types.includes("object");
}

/** What a part of a list is called in key paths: its name, or its number. */
export function keyOf(item, k) {
  return typeof item?.name === "string" && /^[\w-]+$/.test(item.name) ? item.name : String(k);
}

/** The parts of a table or list, as leaves and groups. */
export function childrenOf(root, schema, value, path) {
  const form = resolve(root, schema, value);
  if (typesOf(form).includes("array") && form.items) {
    return (value ?? []).map((item, k) => {
      const own = keyOf(item, k);
      return nodeOf(root, form.items, item, [...path, own], own);
    }).filter(Boolean);
  }
  const names = Object.keys(form.properties ?? {});
  return names.map((name) => nodeOf(root, form.properties[name], value?.[name], [...path, name], name)).filter(Boolean);
}

function nodeOf(root, schema, value, path, name) {
  const form = resolve(root, schema, value);
  const help = schema.description ?? form.description ?? "";
  const node = { path: path.join("."), title: name.replaceAll("_", " "), help, unit: unitOf(help), value };
  const leaf = leafOf(form, value, help);
  if (leaf) return { ...node, ...leaf };
  const types = typesOf(form);
  const isGroup = types.includes("object") ? form.properties : types.includes("array") && form.items;
  if (!isGroup) return null;
  const used = value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  return { ...node, kind: "group", used, children: () => childrenOf(root, schema, value, path) };
}

function leafOf(form, value, help) {
  const types = typesOf(form);
  const words = form.enum ?? form.oneOf?.map((one) => one.const).filter((word) => word !== undefined);
  if (words?.length) return { kind: "word", words };
  if (form.anyOf && isLimit(form)) return { kind: "limit", least: 0 };
  if (types.includes("number") || types.includes("integer")) {
    return { kind: "number", whole: types.includes("integer"), least: form.minimum };
  }
  if (types.includes("boolean")) return { kind: "switch" };
  if (types.includes("string")) return /[Cc]olour|rrggbb/.test(help) ? { kind: "color" } : null;
  if (value?.keys) return { kind: "keys" };
  if (types.includes("array") && numbersOnly(value)) {
    return value.every((x) => typeof x === "number") ? { kind: "vector" } : { kind: "keys" };
  }
  if (types.includes("array") && form.items?.type === "number") return { kind: "vector" };
  return null;
}

function numbersOnly(value) {
  return Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === "number" || numbersOnly(x));
}

/** The last unit in brackets: "Density [kg/m³]." has "kg/m³". */
function unitOf(help) {
  const found = help.match(/\[([^\]\d,]+[^\],]*)\]/);
  return found && found[1].length < 12 ? found[1] : "";
}
