/** A file as text, which Vite reads when it builds. */
declare module '*?raw' {
  const text: string;
  export default text;
}
