// What pages of the documentation say to type.
import { readFileSync } from 'node:fs'
import { path } from '../workspaces.mjs'

const blocks = (page, language) =>
  [...readFileSync(path(page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, kind, text]) =>
    kind === language ? [text] : [],
  )

/** Lines of the shell blocks of a page, in order. */
export const linesOf = (page) => blocks(page, 'sh').flatMap((text) => text.split('\n').filter((line) => line !== ''))

/** The first block of a page in a language. */
export const exampleOf = (page, language) => blocks(page, language)[0]
