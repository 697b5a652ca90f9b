import { isDrawn } from '../source/element-kinds.ts'
import { findRoot } from '../source/root.ts'
import { compositionTemplate } from '../source/template-file.ts'
import { attributeOf, descendants, type Element, parseDocument, templateContents } from '../source/tree.ts'
import { parseDeclarations } from '../variables/declarations.ts'

/** A text file of a project that is imported. */
export interface ImportedFile {
  /** Relative to the project. */
  readonly file: string
  readonly text: string
  /** Every element of an HTML file, also those inside its templates; empty for other files. */
  readonly elements: readonly Element[]
  /** The element that is its composition; null without one, and for other files. */
  readonly root: Element | null
}

/** The root of an HTML file, also where a template holds it. */
const rootOf = (document: ReturnType<typeof parseDocument>): Element | null => {
  const whole = findRoot(document)
  const template = compositionTemplate(document, whole)
  const root = template ? findRoot(template.content) : whole
  return root && isDrawn(root) ? root : null
}

function* everyElement(node: Parameters<typeof descendants>[0]): Generator<Element> {
  yield* descendants(node)
  for (const content of templateContents(node)) yield* everyElement(content)
}

/** Reads a text file; only those named `.html` are parsed. */
export const readImportedFile = (file: string, text: string): ImportedFile => {
  if (!/\.html?$/i.test(file)) return { file, text, elements: [], root: null }
  const document = parseDocument(text.replace(/^\ufeff/, ' '))
  return { file, text, elements: [...everyElement(document)], root: rootOf(document) }
}

/** The ids of the variables that an HTML file declares, whether vid can use the declaration or not. */
export const declaredIds = ({ elements }: ImportedFile): string[] =>
  elements.flatMap((element) => {
    const json = attributeOf(element, 'data-composition-variables')
    return json === null ? [] : parseDeclarations(withKnownTypes(json)).map(({ id }) => id)
  })

/** The same declarations with the types that vid has: fonts and images are given as text. */
export const withKnownTypes = (json: string): string =>
  json.replaceAll(/((?:"|&quot;)type(?:"|&quot;)\s*:\s*(?:"|&quot;))(?:font|image)(?="|&quot;)/g, '$1string')

/** The 1-based line of a position in a text. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
