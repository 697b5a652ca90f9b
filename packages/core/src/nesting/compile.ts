import { defaultTreeAdapter as adapter, serialize } from 'parse5'
import { fail } from '../errors.ts'
import { readScopes } from '../source/clips.ts'
import { findProject, readEntryText } from '../source/load.ts'
import { findRoot } from '../source/parse.ts'
import { fileOfReference, nestedCandidates, readInside, splitReference } from '../source/project-files.ts'
import { attributeOf, descendants, type Element, parseDocument } from '../source/tree.ts'
import { resolveStarts } from '../timing/start-time.ts'
import { createElement, type NestedFile, readNestedFile, setAttribute, textOf } from './nested-file.ts'
import { fillHost, giveInlineVariables, giveVariables, type HostIssue, placeOf } from './nested-host.ts'
import { createScriptCollector, placeOwnScripts } from './nested-scripts.ts'
import { readSheet, type SheetSource, scopeSheets } from './nested-styles.ts'
import { rewriteAttributes, rewriteCssUrls, rewriteFrom } from './rewrite-paths.ts'
import { renameFonts } from './scope-fonts.ts'
import { scopeIds } from './scope-ids.ts'

/** A composition with everything that it embeds in one text. */
export interface CompiledComposition {
  readonly html: string
  /** What was put into it, relative to the project, sorted. */
  readonly files: readonly string[]
  readonly issues: readonly HostIssue[]
}

const MAX_DEPTH = 20
const MAX_INSTANCES = 1000

const hostsIn = (tree: Parameters<typeof descendants>[0]): Element[] =>
  [...descendants(tree)].filter((element) => attributeOf(element, 'data-composition-src') !== null)

/** Puts embedded composition files into the entry's text, each instance with its own styles, scripts and variables. */
export const compileComposition = async (
  projectDir: string,
  entry: { readonly file: string; readonly html: string },
  options: { readonly signal?: AbortSignal } = {},
): Promise<CompiledComposition> => {
  const document = parseDocument(entry.html)
  const issues = giveInlineVariables(document, findRoot(document), entry.file)
  const hosts = hostsIn(document)
  if (hosts.length === 0) {
    const changed = [...descendants(document)].some((e) => attributeOf(e, 'data-vid-variables') !== null)
    return { html: changed ? serialize(document) : entry.html, files: [], issues }
  }
  const dir = await findProject(projectDir)
  const files = new Map<string, string>()
  const styles: string[] = []
  const taken = new Set([...descendants(document)].flatMap((element) => attributeOf(element, 'id') || []))
  let instances = 0

  const readText = async (file: string) => {
    const text = files.get(file) ?? (await readInside(dir, file, options.signal))
    if (text !== null) files.set(file, text)
    return text
  }
  const reader = {
    entry: entry.file,
    readText,
    rewriteFrom: (file: string) => rewriteFrom(dir, file, entry.file),
    fileOf: (from: string, path: string) => fileOfReference(dir, from, path),
    read: async (from: string, path: string) => {
      const file = fileOfReference(dir, from, path)
      const css = await readText(file)
      return css === null ? null : { file, css }
    },
  }
  const scripts = createScriptCollector(document, reader)

  const findNested = async (host: Element, chain: readonly string[]) => {
    const from = chain.at(-1) ?? entry.file
    const place = placeOf(host, from)
    const src = attributeOf(host, 'data-composition-src') ?? ''
    const tried = [...new Set(nestedCandidates(from, src))]
    for (const file of tried) {
      const text = await readText(file)
      if (text === null) continue
      const longer = [...chain, file]
      if (chain.includes(file)) throw fail('VID_NESTED_CYCLE', { ...place, chain: longer })
      if (chain.length > MAX_DEPTH)
        throw fail('VID_NESTED_TOO_DEEP', { ...place, max: MAX_DEPTH, chain: longer })
      const nested = readNestedFile(text)
      if (nested.nodes.every((node) => adapter.isTextNode(node) && node.value.trim() === ''))
        throw fail('VID_NESTED_EMPTY', { ...place, src })
      return { file, nested, chain: longer }
    }
    throw fail('VID_NESTED_MISSING', { ...place, src, tried })
  }

  /** Takes the style sheets out of a host; one that is no file of the project stays an import. */
  const takeSheets = async (host: Element, file: string): Promise<SheetSource[]> => {
    const sheets: SheetSource[] = []
    for (const element of [...descendants(host)]) {
      const href = /\bstylesheet\b/i.test(attributeOf(element, 'rel') ?? '') && attributeOf(element, 'href')
      const media = attributeOf(element, 'media') ?? ''
      if (element.tagName === 'style') {
        const { text, line } = textOf(element)
        sheets.push({ css: text, file, line, media })
      } else if (element.tagName === 'link' && href) {
        const reference = splitReference(href)
        const found = reference && (await reader.read(file, reference.path))
        if (found) sheets.push({ ...found, line: 1, media })
        else styles.push(`@import url("${reader.rewriteFrom(file)(href)}") ${media};`)
      } else continue
      adapter.detachNode(element)
    }
    return sheets
  }

  const moveStyles = async (host: Element, file: string, instance: string) => {
    const sheets = []
    for (const source of await takeSheets(host, file)) sheets.push(await readSheet(source, reader))
    const ids = scopeIds(host, instance, taken, sheets.map(String))
    const { texts, fonts, renameInline } = scopeSheets(sheets, instance, ids)
    styles.push(...texts)
    for (const element of descendants(host)) {
      rewriteAttributes(element, reader.rewriteFrom(file))
      const style = attributeOf(element, 'style')
      if (style !== null) setAttribute(element, 'style', renameInline(style))
      const family = attributeOf(element, 'font-family')
      if (family !== null) setAttribute(element, 'font-family', renameFonts(family, fonts))
    }
  }

  const inline = async (host: Element, above: readonly string[]): Promise<void> => {
    const from = above.at(-1) ?? entry.file
    instances += 1
    if (instances > MAX_INSTANCES)
      throw fail('VID_NESTED_TOO_MANY', { ...placeOf(host, from), max: MAX_INSTANCES })
    const instance = `i${instances}`
    const { file, nested, chain }: { file: string; nested: NestedFile; chain: readonly string[] } =
      await findNested(host, above)
    issues.push(...giveVariables(host, from, nested.declarationsJson))
    if (nested.root !== null) for (const { clips } of readScopes(nested.root)) resolveStarts(clips, file)
    const boxStyle = rewriteCssUrls(nested.boxStyle, reader.rewriteFrom(file))
    fillHost(host, { ...nested, boxStyle }, instance)
    issues.push(...giveInlineVariables(host, nested.root, file))
    await scripts.take(host, file, instance)
    await moveStyles(host, file, instance)
    for (const inner of hostsIn(host)) await inline(inner, chain)
  }

  placeOwnScripts(document, entry.file)
  for (const host of hosts) await inline(host, [entry.file])

  const find = (tag: string) => [...descendants(document)].find(({ tagName }) => tagName === tag)
  const head = find('head')
  const body = find('body')
  for (const css of new Set(styles)) if (head) adapter.appendChild(head, createElement('style', {}, css))
  for (const script of scripts.elements) if (body) adapter.appendChild(body, script)
  return { html: serialize(document), files: [...files.keys()].sort(), issues }
}

/** Reads an entry and compiles it: the text that its page is given, in every process that renders it. */
export const compileEntry = async (
  projectDir: string,
  entry: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<CompiledComposition> =>
  compileComposition(projectDir, await readEntryText(projectDir, entry, options), options)
