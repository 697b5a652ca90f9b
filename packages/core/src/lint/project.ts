import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { defaultTreeAdapter as adapter, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import type { ElementPlace } from '../errors.ts'
import { readNestedFile } from '../nesting/nested-file.ts'
import { placeOf } from '../nesting/nested-host.ts'
import { readScopes, type Scope } from '../source/clips.ts'
import { findRoot, readDeclarationsJson } from '../source/parse.ts'
import { isInside, nestedCandidates, readInside } from '../source/project-files.ts'
import { attributeOf, descendants, type Element, parseDocument, templateContents } from '../source/tree.ts'
import { type LintScript, readScripts } from './project-scripts.ts'
import { type LintSheet, readSheets } from './project-styles.ts'
import { fileOfUrl } from './reference.ts'

/** An HTML file of a composition. */
export interface LintFile {
  /** Relative to the project. */
  readonly file: string
  readonly isEntry: boolean
  readonly root: Element | null
  /** Every element of the document and, in a file that is one, of its `<template>`. */
  readonly elements: readonly Element[]
  readonly templates: readonly Tree.DocumentFragment[]
  readonly declarationsJson: string | null
  /** Timed elements by composition; empty without a root. */
  readonly scopes: readonly Scope[]
  readonly scripts: readonly LintScript[]
  readonly sheets: readonly LintSheet[]
}

/** An element that embeds a file, and what became of it. */
export interface LintHost {
  readonly element: Element
  /** The file that it is written in. */
  readonly from: string
  readonly place: ElementPlace
  readonly src: string
  /** Files that were looked for. */
  readonly tried: readonly string[]
  readonly outcome: 'read' | 'missing' | 'empty' | 'cycle'
  /** The file that it embeds; null when it is missing. */
  readonly file: string | null
  /** Files from the entry to this one, for a cycle. */
  readonly chain: readonly string[]
}

/** All that rules look at. */
export interface LintProject {
  /** The entry first, then each embedded file once, in the order in which they are met. */
  readonly files: readonly LintFile[]
  readonly hosts: readonly LintHost[]
  /** Whether the picture will be transparent where nothing is drawn. */
  readonly alpha: boolean
  /** Lower-case names of font families that need no declaration; null when they are not known. */
  readonly families: ReadonlySet<string> | null
  /** Whether a bundled font has a letter; null when that is not known. */
  readonly letters: ((letter: string) => boolean) | null
  /** The file that a reference means; null for one that is no path. */
  fileOf(from: string, url: string): string | null
  /** Whether a file can be served: it is there, and inside the project once links are resolved. */
  has(file: string): boolean
}

/** What a project is linted with. */
export interface LintOptions {
  /** True when the output format carries alpha. */
  readonly alpha?: boolean
  /** Font families that are drawn alike everywhere; without them no font is reported. */
  readonly families?: Iterable<string>
  /** Whether one of their fonts has a letter; without it no letter is reported. */
  readonly letters?: (letter: string) => boolean
  readonly signal?: AbortSignal
}

const isEmpty = (html: string) =>
  readNestedFile(html).nodes.every((node) => adapter.isTextNode(node) && node.value.trim() === '')

const hasFile = (dir: string) => {
  const known = new Map<string, boolean>()
  const look = (file: string): boolean => {
    try {
      const path = realpathSync(join(dir, file))
      return isInside(dir, path) && statSync(path).isFile()
    } catch {
      return false
    }
  }
  return (file: string): boolean => {
    const found = known.get(file) ?? look(file)
    known.set(file, found)
    return found
  }
}

/** Reads an entry's text and every file that it embeds. */
export const readProject = async (
  dir: string,
  entry: { readonly file: string; readonly html: string },
  { alpha = false, families, letters, signal }: LintOptions,
): Promise<LintProject> => {
  const files: LintFile[] = []
  const hosts: LintHost[] = []
  const seen = new Set([entry.file])
  const readText = (file: string) => readInside(dir, file, signal)

  const open = async (file: string, html: string, above: readonly string[]): Promise<void> => {
    const document = parseDocument(html)
    const templates = [...templateContents(document)]
    const isEntry = above.length === 0
    const whole = findRoot(document)
    const [template] = isEntry || whole !== null ? [] : templates
    const root = template === undefined ? whole : findRoot(template)
    const elements = [...descendants(document), ...(template === undefined ? [] : descendants(template))]
    const reader = { dir, file, elements, readText }
    files.push({
      file,
      isEntry,
      root,
      elements,
      templates,
      declarationsJson: readDeclarationsJson(document, root),
      scopes: root === null ? [] : readScopes(root),
      scripts: await readScripts(reader),
      sheets: await readSheets(reader, !isEntry),
    })
    for (const element of elements) {
      const src = attributeOf(element, 'data-composition-src')
      if (src !== null) await embed(element, file, src, [...above, file])
    }
  }

  const embed = async (element: Element, from: string, src: string, chain: readonly string[]) => {
    const tried = [...new Set(nestedCandidates(from, src))]
    const host = { element, from, src, tried, place: placeOf(element, from) }
    for (const file of tried) {
      const html = await readText(file)
      if (html === null) continue
      const longer = [...chain, file]
      const outcome = chain.includes(file) ? 'cycle' : isEmpty(html) ? 'empty' : 'read'
      hosts.push({ ...host, outcome, file, chain: longer })
      if (outcome === 'read' && !seen.has(file)) {
        seen.add(file)
        await open(file, html, chain)
      }
      return
    }
    hosts.push({ ...host, outcome: 'missing', file: null, chain })
  }

  await open(entry.file, entry.html, [])
  return {
    files,
    hosts,
    alpha,
    families: families ? new Set([...families].map((name) => name.toLowerCase())) : null,
    letters: letters ?? null,
    fileOf: (from, url) => fileOfUrl(dir, from, url),
    has: hasFile(dir),
  }
}
