import { attributeOf, descendants, type Element, parseDocument, templateContents } from '../source/tree.ts'
import { parseDeclarations } from '../variables/declarations.ts'

/** A text file of a project that is imported. */
export interface SourceFile {
  /** Relative to the project. */
  readonly file: string
  readonly text: string
  /** Every element of an HTML file, also those inside its templates; empty for other files. */
  readonly elements: readonly Element[]
}

function* everyElement(node: Parameters<typeof descendants>[0]): Generator<Element> {
  yield* descendants(node)
  for (const content of templateContents(node)) yield* everyElement(content)
}

/** Reads a text file; only those named `.html` are parsed. */
export const readSource = (file: string, text: string): SourceFile => ({
  file,
  text,
  elements: /\.html?$/i.test(file) ? [...everyElement(parseDocument(text.replace(/^\ufeff/, ' ')))] : [],
})

/** The ids of the variables that an HTML file declares, whether vid can use the declaration or not. */
export const declaredIds = ({ elements }: SourceFile): string[] =>
  elements.flatMap((element) => {
    const json = attributeOf(element, 'data-composition-variables')
    return json === null ? [] : parseDeclarations(withKnownTypes(json)).map(({ id }) => id)
  })

/** The same declarations with the types that vid has: fonts and images are given as text. */
export const withKnownTypes = (json: string): string =>
  json.replaceAll(/((?:"|&quot;)type(?:"|&quot;)\s*:\s*(?:"|&quot;))(?:font|image)(?="|&quot;)/g, '$1string')

/** The 1-based line of a position in a text. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
