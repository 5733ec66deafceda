// Scenes to choose from.

/** Fills and shows the gallery; `open(name)` is called with the choice. */
export class Gallery {
  constructor(dialog, open) {
    this.dialog = dialog;
    this.open = open;
    dialog.querySelector("[data-part=close]").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  async show() {
    this.dialog.showModal();
    if (this.filled) return;
    this.filled = true;
    const scenes = await (await fetch("gallery.json")).json();
    const list = this.dialog.querySelector(".scenes");
    list.replaceChildren(...scenes.map((scene) => this.card(scene)));
  }

  card({ name, description }) {
    const card = document.createElement("button");
    card.className = "card";
    card.dataset.scene = name;
    const picture = document.createElement("img");
    picture.loading = "lazy";
    picture.alt = "";
    picture.src = `gallery/${name}.png`;
    picture.addEventListener("error", () => picture.removeAttribute("src"));
    const title = document.createElement("b");
    title.textContent = name.replaceAll("-", " ");
    const text = document.createElement("span");
    text.textContent = description;
    card.append(picture, title, text);
    card.addEventListener("click", () => {
      this.dialog.close();
      this.open(name);
    });
    return card;
  }
}
