import { readFile } from 'node:fs/promises'
import { readTasksOf } from '@vid/kernel'
import { nameInCss } from './generic-families.ts'
import { ownInCss, ownInScript } from './own-addresses.ts'

/** A style sheet or a script that the site of a project sends. */
export interface SiteText {
  readonly entry: string
  readonly kind: 'css' | 'script'
  /** The text, or the absolute path of its file. */
  readonly source: { readonly text: string } | { readonly path: string }
  /** Whether it is for documents that ask their own origin for the files of others. */
  readonly isPublic: boolean
  /** Whether it is a file of the project, where generic families have the names of a render. */
  readonly isOfProject: boolean
  /** Its address, if it is a file of another origin. */
  readonly base?: string | undefined
}

const changed = (text: string, { kind, isPublic, isOfProject, base }: SiteText): string => {
  const named = kind === 'css' && isOfProject ? nameInCss(text) : text
  if (!isPublic) return named
  return kind === 'css' ? ownInCss(named, base) : ownInScript(named, base)
}

const define = readTasksOf(import.meta.url)

/** Reads a text as a site sends it; undefined where that is the text as it is. */
export const siteTextTask = define('siteTextTask', async (input: SiteText, signal): Promise<string | undefined> => {
  const { source } = input
  const text = 'text' in source ? source.text : await readFile(source.path, { encoding: 'utf8', signal })
  const sent = changed(text, input)
  return sent === text ? undefined : sent
})
