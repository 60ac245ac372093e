/** A file as text, which Vite inlines at build time. */
declare module '*?raw' {
  const text: string;
  export default text;
}
