// Tailwind's names for the tokens of static/input.css; there are no other colours.
const token = (name) => `var(--${name})`;

/** @type {import('tailwindcss').Config} */
export default {
  content: ['./views/**/*.templ', './static/src/**/*.js'],
  darkMode: ['selector', '[data-theme=dark]'],
  theme: {
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      ...Object.fromEntries(
        [
          'bg', 'surface', 'raised', 'line', 'edge', 'text', 'muted', 'accent',
          'create', 'modify', 'delete', 'wait', 'ok', 'bad', 'idle',
        ].map((name) => [name, token(name)]),
      ),
    },
    fontFamily: { sans: token('sans'), mono: token('mono') },
    borderRadius: { none: '0', DEFAULT: token('radius'), full: '9999px' },
  },
};
