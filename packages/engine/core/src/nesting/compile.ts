import { defaultTreeAdapter as adapter, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { fail } from '../errors.ts'
import { readScopes } from '../source/clips.ts'
import { parseEntryDocument } from '../source/entry-document.ts'
import type { ProjectFiles } from '../source/project-references.ts'
import { findFirstNamed } from '../source/root.ts'
import { MAX_TEXT } from '../source/text-limit.ts'
import { attributeOf, descendants, type Element } from '../source/tree.ts'
import { resolveStarts } from '../timing/start-time.ts'
import { findNested } from './find-nested.ts'
import { moveStyles } from './instance-styles.ts'
import { createElement, setAttribute } from './nested-file.ts'
import { fillHost, giveInlineVariables, giveVariables, type HostIssue, placeOf } from './nested-host.ts'
import { createScriptCollector, placeOwnScripts } from './nested-scripts.ts'
import { createProjectReader } from './project-reader.ts'
import { rewriteCssUrls, rewriteFrom } from './rewrite-paths.ts'
import { rewriteReferences } from './template-references.ts'

/** A composition with all its embedded files in one text. */
export interface CompiledComposition {
  readonly html: string
  /** Files whose content is in the text, relative to the project, sorted. */
  readonly files: readonly string[]
  readonly issues: readonly HostIssue[]
}

const MAX_INSTANCES = 1000

const hostsIn = (tree: Tree.ParentNode): Element[] =>
  [...descendants(tree)].filter((element) => attributeOf(element, 'data-composition-src') !== null)

/** Adds the scoped styles to the head and the scoped scripts to the end of the body. */
const appendParts = (document: Tree.Document, styles: readonly string[], scripts: readonly Element[]) => {
  const find = (tag: string) => [...descendants(document)].find(({ tagName }) => tagName === tag)
  const head = find('head')
  const body = find('body')
  for (const css of new Set(styles)) if (head) adapter.appendChild(head, createElement('style', {}, css))
  for (const script of scripts) if (body) adapter.appendChild(body, script)
}

/** Marks a root that is not the first named element, which a page takes for it; returns whether it did. */
const markRoot = (document: Tree.Document, root: Element | null): boolean => {
  const isMarked = root !== null && attributeOf(root, 'data-root') !== 'true'
  if (!isMarked || findFirstNamed(document) === root) return false
  setAttribute(root, 'data-root', 'true')
  return true
}

/** Inserts embedded composition files into the entry's text; each instance has its own styles, scripts and variables. */
export const compileText = async (
  files: ProjectFiles,
  entry: { readonly file: string; readonly html: string },
  /** Whether a time of the entry that cannot be is an error, as one of an embedded file is. */
  { checksStarts = false }: { readonly checksStarts?: boolean } = {},
): Promise<CompiledComposition> => {
  const { document, root, fromTemplate } = parseEntryDocument(entry.html)
  if (checksStarts && root) for (const { clips } of readScopes(root)) resolveStarts(clips, entry.file)
  // An embedded file may refer to files from the project folder; its page finds them from its own.
  if (fromTemplate) {
    rewriteReferences(document, rewriteFrom(files.has, entry.file, entry.file))
    placeOwnScripts(document, entry.file)
  }
  const isMarked = markRoot(document, root)
  const shape = root && attributeOf(root, 'data-shape')
  const issues = giveInlineVariables(document, root, entry.file)
  const hosts = hostsIn(document)
  if (hosts.length === 0) {
    const hasValues = [...descendants(document)].some((e) => attributeOf(e, 'data-vid-variables') !== null)
    if (!fromTemplate && !hasValues && !isMarked) return { html: entry.html, files: [], issues }
    if (!fromTemplate) placeOwnScripts(document, entry.file)
    return { html: serialize(document), files: [], issues }
  }
  const reader = createProjectReader(files, entry.file)
  const scripts = createScriptCollector(document, reader)
  const styles: string[] = []
  const ids = new Set([...descendants(document)].flatMap((element) => attributeOf(element, 'id') || []))
  let instances = 0

  /** Inserts the file that a host embeds, and all files inside it; `above` are the files from the entry to the host's. */
  const inline = async (host: Element, above: readonly string[]): Promise<void> => {
    const from = above.at(-1) ?? entry.file
    instances += 1
    if (instances > MAX_INSTANCES) throw fail('VID_NESTED_TOO_MANY', { ...placeOf(host, from), max: MAX_INSTANCES })
    const instance = `i${instances}`
    const { file, nested, chain } = await findNested(host, above, reader.readText)
    issues.push(...giveVariables(host, from, nested.declarationsJson))
    if (nested.root !== null) for (const { clips } of readScopes(nested.root)) resolveStarts(clips, file)
    // The styles of a file apply inside its host, where they find no root but its own.
    if (shape !== null && nested.root !== null) setAttribute(nested.root, 'data-shape', shape)
    const boxStyle = rewriteCssUrls(nested.boxStyle, reader.rewriteFrom(file))
    fillHost(host, { ...nested, boxStyle }, instance)
    issues.push(...giveInlineVariables(host, nested.root, file))
    await scripts.take(host, file, instance)
    await moveStyles(host, file, instance, { reader, taken: ids, styles })
    for (const inner of hostsIn(host)) await inline(inner, chain)
  }

  if (!fromTemplate) placeOwnScripts(document, entry.file)
  for (const host of hosts) await inline(host, [entry.file])
  appendParts(document, styles, scripts.elements)
  const html = serialize(document)
  if (html.length > MAX_TEXT)
    throw fail('VID_COMPOSITION_TOO_LARGE', { file: entry.file, characters: html.length, max: MAX_TEXT })
  return { html, files: [...reader.files.keys()].sort(), issues }
}
