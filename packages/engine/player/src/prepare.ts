import { type PageConfig, type PlayerSettings, playerScript } from '@vid/runtime'
import { insertFirst } from './first-in-document.ts'

export { insertFirst }

/** The built module of the element, for servers that send it to their pages. */
export const playerModule: URL = new URL('../dist/index.js', import.meta.url)

/** A compiled document and what it is to be played with. */
export interface PreparedPage {
  /** Text of the compiled document. */
  readonly html: string
  /** Settings of the page script, as a render has them, with the defaults of all variables. */
  readonly config: PageConfig
  readonly settings: PlayerSettings
}

/** A document that a player plays: the page script stands before everything else, and every line keeps its number. */
export const preparePage = ({ html, config, settings }: PreparedPage): string =>
  insertFirst(html, playerScript({ config, settings }))
