// <triage-list> lets a list of [data-row] be worked through by keys: j and k
// move, x ticks, Enter opens, space shows the diff, and each letter presses
// the row's button with that data-key (portal X17, QUE2, QUE3). A row may have
// its own links for j and k, as the page of a single change does.
import { deaf } from './keys.js';

const letters = 'arcet';

class TriageList extends HTMLElement {
  connectedCallback() {
    this.press = (event) => this.keydown(event);
    document.addEventListener('keydown', this.press);
    this.addEventListener('focusin', ({ target }) => this.mark(target.closest('[data-row]')));
    this.addEventListener('click', (event) => this.fold(event), { capture: true });
    this.addEventListener('htmx:beforeSwap', (event) => this.remember(event));
    this.addEventListener('htmx:afterSettle', (event) => this.settle(event));
    if (!this.cursor) this.mark(this.rows[0]); // so that the first j leads to the second row (QUE-b)
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.press);
  }

  get rows() {
    return [...this.querySelectorAll('[data-row]')];
  }

  get cursor() {
    return this.querySelector('[data-cursor]');
  }

  mark(row) {
    if (!row || row === this.cursor) return;
    this.cursor?.removeAttribute('data-cursor');
    row.setAttribute('data-cursor', '');
  }

  go(row) {
    if (!row) return;
    this.mark(row);
    (row.querySelector('a[data-open]') ?? row.querySelector('a, button, input'))?.focus();
  }

  move(step) {
    const link = this.cursor?.querySelector(`[data-key="${step > 0 ? 'j' : 'k'}"]`);
    if (link) return link.click();
    if (this.hasAttribute('data-one')) return;
    const rows = this.rows;
    const at = rows.indexOf(this.cursor);
    this.go(rows[Math.min(Math.max(at + step, 0), rows.length - 1)]);
  }

  keydown(event) {
    if (deaf(event) || event.shiftKey) return;
    const { key, target } = event;
    const control = target.closest?.('button, summary, input');
    if (key === 'j' || key === 'k') this.move(key === 'j' ? 1 : -1);
    else if (!this.cursor) return;
    else if (key === 'x') this.cursor.querySelector('.pick')?.click();
    else if (letters.includes(key)) this.pressButton(key);
    else if ((key === ' ' || key === 'ArrowRight') && !control) this.pressButton(' ');
    else if (key === 'Enter' && target === document.body) this.cursor.querySelector('a[data-open]')?.click();
    else return;
    event.preventDefault();
  }

  pressButton(key) {
    this.cursor.querySelector(`[data-key="${key}"]:not([aria-disabled="true"], :disabled)`)?.click();
  }

  // A diff is fetched once; after that its row is folded and unfolded.
  fold(event) {
    const link = event.target.closest('[data-diff]');
    const diff = link?.closest('[data-row]').nextElementSibling;
    if (!diff?.matches('.detail')) return link?.setAttribute('aria-expanded', 'true');
    event.preventDefault();
    event.stopImmediatePropagation();
    diff.hidden = !diff.hidden;
    link.setAttribute('aria-expanded', !diff.hidden);
  }

  remember({ target }) {
    const row = target.closest('[data-row]') ?? this.cursor;
    this.last = { id: row?.id, state: row?.dataset.state, at: this.rows.indexOf(row) };
  }

  // After a swap the cursor is on the same row again; after an own decision it
  // is on the next row that still waits, and with none left on the empty text.
  // A row that somebody else has moved keeps it: there is something to read.
  settle({ detail }) {
    if (!this.last?.id || this.hasAttribute('data-one')) return;
    const { id, at, state } = this.last;
    const rows = this.rows;
    const same = rows.find((row) => row.id === id);
    if (same) this.mark(same);
    if (detail.requestConfig?.verb !== 'post') return;
    if (same && (same.dataset.state === state || detail.xhr.status >= 400)) return this.go(same);
    const later = [...rows.slice(at + 1), ...rows.slice(0, at)].find(actionable);
    if (later) this.go(later);
    else this.querySelector('[data-empty] a, [data-empty]')?.focus();
  }
}
customElements.define('triage-list', TriageList);

function actionable(row) {
  return row.querySelector('[data-key]:not([data-key=" "], [aria-disabled="true"], :disabled)') !== null;
}
