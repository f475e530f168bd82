// Ticked rows: the box that ticks all of them, and the count beside the
// buttons that act on them.

// recount brings a form's count and its "all" box up to date.
export function recount(form) {
  const boxes = [...form.querySelectorAll('.pick:not([data-select-all], :disabled)')];
  const ticked = boxes.filter((box) => box.checked).length;
  for (const output of form.querySelectorAll('[data-bulk-count]')) output.textContent = `${ticked} selected`;
  for (const all of form.querySelectorAll('[data-select-all]')) {
    all.checked = ticked > 0 && ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  }
}

document.addEventListener('change', ({ target }) => {
  const form = target.closest('[data-bulk]');
  if (!form || !target.matches('.pick')) return;
  if (target.matches('[data-select-all]')) {
    for (const box of form.querySelectorAll('.pick:not(:disabled)')) box.checked = target.checked;
  }
  recount(form);
});

const recountAll = () => document.querySelectorAll('[data-bulk]').forEach(recount);
document.addEventListener('htmx:afterSettle', recountAll);
window.addEventListener('pageshow', recountAll);
