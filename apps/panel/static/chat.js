// Shows an answer while it is worded. Without this script the form is sent as any other, and the page comes when all is said.
"use strict";

const form = document.querySelector("form[data-chat]");
const talk = document.querySelector(".talk");
const failed = form.querySelector("[role=alert]");
const box = form.elements.words;
const chooser = form.elements.files;
const failure = failed.textContent;
talk.setAttribute("aria-live", "polite");

// The box sticks to the end of the window, so the end of the page is the newest message.
const showNewest = () => window.scrollTo(0, document.documentElement.scrollHeight);
if (talk.children.length && location.hash !== "#waits") showNewest();

function addTurn(kind, speaker, words) {
  const turn = document.createElement("li");
  turn.className = `turn ${kind}`;
  const head = turn.appendChild(document.createElement("p"));
  head.className = "meta";
  head.appendChild(document.createElement("b")).textContent = speaker;
  const body = turn.appendChild(document.createElement("p"));
  body.className = "words";
  body.textContent = words;
  talk.appendChild(turn);
  showNewest();
  return turn;
}

async function readPage(response) {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

// A refusal is a page, and so is the sign-in that a session ends with.
function findReason(page) {
  return (page.querySelector(".notice") ?? page.querySelector("main p"))?.textContent ?? failure;
}

async function streamAnswer(fields, body) {
  const response = await fetch(form.action, { method: "POST", headers: { Accept: "text/plain" }, body: fields });
  if (response.redirected && new URL(response.url).pathname === form.dataset.after) return;
  if (response.redirected || !response.ok) throw new Error(findReason(await readPage(response)));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    body.textContent += piece.value.replaceAll("\u200b", "");
    showNewest();
  }
}

// Takes the two turns from the page of the conversation, with the reply rendered and the way to the receipts, what the
// conversation waits for, and the form of the next message.
async function refresh(said, reply) {
  const page = await readPage(await fetch(form.dataset.after));
  const next = page.querySelector("form[data-chat]");
  if (!next) return location.assign(form.dataset.after);
  for (const name of ["form_token", "once"]) form.elements[name].value = next.elements[name].value;
  const [mine, theirs] = [...page.querySelectorAll(".talk > .turn")].slice(-2);
  if (theirs?.classList.contains("theirs")) {
    talk.querySelector("#newest")?.removeAttribute("id");
    said.replaceWith(mine);
    reply.replaceWith(theirs);
  }
  document.querySelector("#waits").replaceWith(page.querySelector("#waits"));
  showNewest();
  history.replaceState(null, "", form.dataset.after);
}

function setBusy(busy) {
  talk.setAttribute("aria-busy", String(busy));
  form.querySelector("button").disabled = busy;
  box.readOnly = busy;
}

function describe(words, files) {
  return [words, ...files.map((each) => `[${each.name}]`)].filter(Boolean).join("\n");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const words = box.value;
  const files = [...chooser.files];
  if (box.readOnly || !(words.trim() || files.length)) return;
  const filled = new FormData(form);
  if (!files.length) filled.delete("files");
  const fields = files.length ? filled : new URLSearchParams(filled);
  const turns = [addTurn("mine", form.dataset.you, describe(words, files)), addTurn("theirs", "Brain", "")];
  box.value = "";
  failed.hidden = true;
  setBusy(true);
  try {
    await streamAnswer(fields, turns[1].lastElementChild);
    chooser.value = "";
    await refresh(...turns);
  } catch (error) {
    for (const turn of turns) turn.remove();
    box.value = words;
    failed.textContent = error.name === "Error" ? error.message : failure;
    failed.hidden = false;
  }
  setBusy(false);
  box.focus();
});

box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
