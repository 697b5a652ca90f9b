import { isVidError } from '@vid/protocol'
import { type PathRefusal, projectPathRefusal } from '@vid/system'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import type { ElementPlace } from '../../errors.ts'
import { isEmptyFile } from '../../nesting/find-nested.ts'
import { nestedTemplate, readNestedFile } from '../../nesting/nested-file.ts'
import { placeOf } from '../../nesting/nested-host.ts'
import { readScope, readTimedElements, type TimelineScope } from '../../source/clips.ts'
import { isPage } from '../../source/element-kinds.ts'
import { readDeclarationsJson } from '../../source/parse.ts'
import { filesOf } from '../../source/project-files.ts'
import { nestedCandidates, type ProjectFiles } from '../../source/project-references.ts'
import { findRoot } from '../../source/root.ts'
import { compositionTemplate, readTemplate } from '../../source/template-file.ts'
import { attributeOf, descendants, type Element, parseDocument, templateContents } from '../../source/tree.ts'
import { textStart } from './file-start.ts'
import { type LinkedFont, linkedFonts } from './linked-fonts.ts'
import { inOtherCase } from './other-case.ts'
import { type LintScript, readScripts } from './project-scripts.ts'
import { type LintSheet, readSheets } from './project-styles.ts'
import { fileOfUrl } from './reference.ts'

/** A composition with the elements of its clips, in the same order. */
export interface LintScope extends TimelineScope {
  /** The element that holds the clips. */
  readonly holder: Element
  readonly timed: readonly Element[]
}

/** A parsed HTML file of a composition. */
export interface LintFile {
  /** Relative to the project. */
  readonly file: string
  readonly html: string
  readonly isEntry: boolean
  readonly root: Element | null
  /** Every element of the document; in an embedded `<template>` file also those of the template. */
  readonly elements: readonly Element[]
  readonly templates: readonly Tree.DocumentFragment[]
  readonly declarationsJson: string | null
  /** Timed elements of each composition; empty without a root. */
  readonly scopes: readonly LintScope[]
  readonly scripts: readonly LintScript[]
  /** Whether all scripts that can add elements were read. */
  readonly hasAllScripts: boolean
  readonly sheets: readonly LintSheet[]
}

/** An element that embeds a file, and the outcome of reading that file. */
export interface LintHost {
  readonly element: Element
  /** File that contains the element. */
  readonly from: string
  readonly place: ElementPlace
  readonly src: string
  /** Paths that were tried. */
  readonly tried: readonly string[]
  readonly outcome: 'read' | 'missing' | 'empty' | 'cycle'
  /** Embedded file; null when it is missing. */
  readonly file: string | null
  /** Files from the entry to this one, which shows a cycle. */
  readonly chain: readonly string[]
}

/** A family that is fetched while rendering, and how to install it. */
export type MissingFont = LinkedFont & { readonly hint: string }

/** What rules check. */
export interface LintProject {
  /** The entry first, then each embedded file once, in document order. */
  readonly files: readonly LintFile[]
  readonly hosts: readonly LintHost[]
  /** Whether the output format has alpha. */
  readonly alpha: boolean
  /** Lower-case names of the bundled font families; null when they are unknown. */
  readonly families: ReadonlySet<string> | null
  /** Whether a bundled font has a glyph for a character; null when that is unknown. */
  readonly hasGlyph: ((character: string) => boolean) | null
  /** Families of Google Fonts that are not installed, each at the first place that loads it. */
  readonly missingFonts: readonly MissingFont[]
  /** Resolves a reference to a project file; null for one that is not a path. */
  fileOf(from: string, url: string): string | null
  /** Why a file cannot be served; null when it can be. */
  refusal(file: string): PathRefusal | null
  /** The file that is there in place of a missing one, if it differs in upper and lower case only. */
  inOtherCase(file: string): string | undefined
  /** The beginning of a file that is text; undefined for any other. */
  textStart(file: string): string | undefined
}

/** Options of linting. */
export interface LintOptions {
  /** Whether the output format has alpha. */
  readonly alpha?: boolean
  /** Bundled font families; without them no font is reported. */
  readonly families?: Iterable<string>
  /** Whether a bundled font has a glyph for a character; without it no character is reported. */
  readonly hasGlyph?: (character: string) => boolean
  /** How to install a family of Google Fonts that is not installed; without it none is reported. */
  readonly installHint?: (family: string) => Promise<string | undefined>
  /** Where files are read in place of the folder, such as an edit that is not written yet. */
  readonly files?: ProjectFiles
  readonly signal?: AbortSignal
}

const scopesOf = (root: Element): LintScope[] =>
  readTimedElements(root).map((group) => ({ ...readScope(group), holder: group.element, timed: group.timed }))

const isEmpty = (html: string) => isEmptyFile(readNestedFile(html))

const refusals = (dir: string, files: ProjectFiles | undefined) => {
  const refusals = new Map<string, PathRefusal | null>()
  return (file: string): PathRefusal | null => {
    const onDisk = refusals.has(file) ? (refusals.get(file) ?? null) : projectPathRefusal(dir, file)
    refusals.set(file, onDisk)
    return onDisk === 'missing' && files?.has(file) ? null : onDisk
  }
}

const findMissingFonts = async (
  files: readonly LintFile[],
  installHint: NonNullable<LintOptions['installHint']>,
): Promise<MissingFont[]> => {
  const first = new Map(
    linkedFonts(files)
      .reverse()
      .map((font) => [font.family.toLowerCase(), font]),
  )
  const missing: MissingFont[] = []
  for (const font of first.values()) {
    const hint = await installHint(font.family)
    if (hint !== undefined) missing.push({ ...font, hint })
  }
  return missing
}

/** Reads what a page loads by itself, which may be as large as it wants: it is data rather than somebody's text. */
const partsOf =
  (readText: ProjectFiles['readText']): ProjectFiles['readText'] =>
  (path) =>
    readText(path).catch((thrown: unknown) => {
      if (isVidError(thrown) && thrown.code === 'VID_TEXT_TOO_LARGE') return null
      throw thrown
    })

const readLintFile = async (
  source: Pick<ProjectFiles, 'has' | 'readText'>,
  { file, html, isEntry }: Pick<LintFile, 'file' | 'html' | 'isEntry'>,
): Promise<LintFile> => {
  const document = parseDocument(html)
  const whole = findRoot(document)
  const template = (isEntry ? compositionTemplate : nestedTemplate)(document, whole)
  const outside = [...descendants(document)]
  const names = isEntry ? [] : outside.filter(isPage).toReversed()
  const content = template && readTemplate(template, [template, ...names])
  // An entry whose template holds no root of its own keeps the one that the document names.
  const root = content ? (content.root ?? whole) : whole
  const elements = [...outside, ...(template ? descendants(template.content) : [])]
  const reader = { has: source.has, file, elements, readText: partsOf(source.readText) }
  const { scripts, isWhole } = await readScripts(reader)
  return {
    file,
    html,
    isEntry,
    root,
    elements,
    templates: [...templateContents(document)],
    declarationsJson: readDeclarationsJson(document, root, template),
    scopes: root === null ? [] : scopesOf(root),
    scripts,
    hasAllScripts: isWhole,
    sheets: await readSheets(reader, !isEntry),
  }
}

/** Parses an entry and every file that it embeds. */
export const readProject = async (
  dir: string,
  entry: { readonly file: string; readonly html: string },
  options: LintOptions,
): Promise<LintProject> => {
  const { alpha = false, families, hasGlyph, installHint, signal } = options
  const files: LintFile[] = []
  const hosts: LintHost[] = []
  const seen = new Set([entry.file])
  const { has, readText } = options.files ?? filesOf(dir, signal)

  const open = async (file: string, html: string, above: readonly string[]): Promise<void> => {
    const lintFile = await readLintFile({ has, readText }, { file, html, isEntry: above.length === 0 })
    files.push(lintFile)
    for (const element of lintFile.elements) {
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
    hasGlyph: hasGlyph ?? null,
    missingFonts: installHint ? await findMissingFonts(files, installHint) : [],
    fileOf: (from, url) => fileOfUrl(has, from, url),
    refusal: refusals(dir, options.files),
    inOtherCase: (file) => inOtherCase(dir, file),
    textStart: (file) => textStart(dir, file),
  }
}
