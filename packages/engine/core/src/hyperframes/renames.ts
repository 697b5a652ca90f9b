import { animeEdits } from './anime.ts'
import { rootEdits } from './roots.ts'
import { type Edit, sizeEdits } from './sizes.ts'
import { declaredIds, type ImportedFile, lineAt, withKnownTypes } from './source.ts'

/** One name that was replaced by another. */
export interface Rename {
  readonly file: string
  readonly line: number
  readonly from: string
  readonly to: string
}

/** The object with `getVariables`, unless another of its functions is called: vid has no such function. */
const VARIABLES_OBJECT = /\b__hyperframes\b(?!\s*\??\.\s*(?!getVariables\b)[\w$])/g

/** A variable as a property of CSS. */
export const PROPERTY = /--hf-var-([a-z\d-]+)/g

const slugOf = (id: string) => id.toLowerCase().replaceAll(/[^a-z\d-]/g, '-')

/** Finds the variable that a name in CSS means: of the file itself, else the only one of the project. */
export const variableFinder = (files: readonly ImportedFile[]) => {
  const ids = new Map(files.map((source) => [source.file, declaredIds(source)]))
  return ({ file }: ImportedFile, slug: string): string | undefined => {
    const local = new Set(ids.get(file)?.filter((id) => slugOf(id) === slug))
    const all = local.size > 0 ? local : new Set([...ids.values()].flat().filter((id) => slugOf(id) === slug))
    return all.size === 1 ? [...all][0] : undefined
  }
}

const matches = (text: string, pattern: RegExp, to: (match: RegExpExecArray) => string | undefined): Edit[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const name = to(match)
    return name === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, to: name }]
  })

/** Types of variables: only the words change, so that the rest of the declaration stays as it is written. */
const typeEdits = ({ text, elements }: ImportedFile): Edit[] =>
  elements.flatMap((element) => {
    const place = element.sourceCodeLocation?.attrs?.['data-composition-variables']
    if (place === undefined) return []
    const original = text.slice(place.startOffset, place.endOffset)
    const to = withKnownTypes(original)
    return to === original ? [] : [{ start: place.startOffset, end: place.endOffset, to }]
  })

/** A file with the names that vid has; no line is added or removed. */
export const renameIn = (
  source: ImportedFile,
  variableOf: ReturnType<typeof variableFinder>,
  { more, areHidden }: { readonly more: readonly Edit[]; readonly areHidden: boolean },
): { readonly text: string; readonly renames: readonly Rename[] } => {
  const { file, text } = source
  const edits = [
    ...matches(text, VARIABLES_OBJECT, () => '__vid'),
    ...matches(text, PROPERTY, ([, slug = '']) => {
      const id = variableOf(source, slug)
      return id === undefined ? undefined : `--${id}`
    }),
    ...typeEdits(source),
    ...rootEdits(source),
    ...sizeEdits(source, areHidden),
    ...animeEdits(source),
    ...more,
  ].sort((a, b) => a.start - b.start)
  let position = 0
  const parts = edits.flatMap(({ start, end, to }) => {
    const before = text.slice(position, start)
    position = end
    return [before, to]
  })
  const shown = ({ start, end, to }: Edit): Pick<Rename, 'from' | 'to'> =>
    to.startsWith('data-composition-variables')
      ? { from: 'type "font" or "image"', to: 'type "string"' }
      : { from: text.slice(start, end), to: to.trim() }
  const renames = edits.map((edit) => ({ file, line: lineAt(text, edit.start), ...shown(edit) }))
  return { text: [...parts, text.slice(position)].join(''), renames }
}
