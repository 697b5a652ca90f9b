import { resolveLibrary } from './bundled-library.ts'

/** Animation libraries that move elements and read nothing else of them. */
const HARMLESS = /[\\/](?:gsap|anime[\w.]*|lottie[\w.]*|three)(?:\.min)?\.js$/

/** Whether the address of a script is that of a library that reads no text and measures only boxes that it animates itself. */
export const isHarmlessLibrary = (src: string): boolean => {
  const library = resolveLibrary(src)
  return library !== undefined && 'path' in library && HARMLESS.test(library.path)
}
