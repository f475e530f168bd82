// Small controls: copy, reveal, go to a place in a text, menus, dialogs.
import { say } from './notices.js';

class CopyButton extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', () => this.copy());
  }

  async copy() {
    const source = document.getElementById(this.getAttribute('for'));
    if (!source) return;
    const text = source.value ?? source.textContent;
    const done = await write(text);
    const button = this.querySelector('button');
    const words = button.textContent;
    button.textContent = done ? 'Copied' : 'Press Ctrl-C';
    say(done ? 'Copied' : 'The text is selected, press Control C');
    setTimeout(() => (button.textContent = words), 2000);
    if (!done) getSelection().selectAllChildren(source);
  }
}
customElements.define('copy-button', CopyButton);

// Browsers keep the clipboard from pages that came without TLS.
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const actions = {
  reveal(button) {
    const field = document.getElementById(button.dataset.reveal);
    const shown = field.type === 'password';
    field.type = shown ? 'text' : 'password';
    button.setAttribute('aria-pressed', shown);
  },
  goto(button) {
    const area = document.getElementById(button.dataset.goto);
    const place = { line: Number(button.dataset.gotoLine), column: Number(button.dataset.gotoColumn) };
    // An editor that stands in for the textarea moves its own caret.
    const left = area.dispatchEvent(new CustomEvent('go-to', { detail: place, bubbles: true, cancelable: true }));
    if (left) moveCaret(area, place);
  },
  // Browsers that know the command attribute do these two by themselves.
  dialogOpen(button) {
    if (!('command' in button)) document.getElementById(button.dataset.dialogOpen).showModal();
  },
  dialogClose(button) {
    if (!('command' in button)) button.closest('dialog').close();
  },
  print() {
    window.print();
  },
};

document.addEventListener('click', (event) => {
  for (const [name, act] of Object.entries(actions)) {
    const button = event.target.closest(`[data-${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}]`);
    if (button && button.matches('button')) act(button);
  }
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' && event.target.closest?.('details.menu[open]');
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});

// Lines and columns count from 1, columns in characters rather than UTF-16 units.
function moveCaret(area, { line, column }) {
  const lines = area.value.split('\n');
  const before = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  const inside = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  area.focus();
  area.setSelectionRange(before + inside, before + inside);
  area.scrollTop = (line - 4) * parseFloat(getComputedStyle(area).lineHeight);
}

// A second press of a button sends nothing while the first is on its way;
// requests.js frees the form again after an answer to htmx.
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if ((event.submitter?.formMethod || form.method) !== 'post') return;
    if (form.dataset.sent === '') {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    form.dataset.sent = '';
  },
  { capture: true },
);
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
