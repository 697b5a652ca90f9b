import { attributeOf } from '@vid/core/source-model'
import type { Sources } from '../source/sources.ts'

/** Attributes by which other elements, rules and scripts find an element. */
export const NAME_ATTRIBUTES = ['id', 'data-composition-id'] as const

/** The names of all elements. */
export const takenNames = ({ project }: Sources): Set<string> =>
  new Set(
    project.files.flatMap(({ elements }) =>
      elements.flatMap((element) => NAME_ATTRIBUTES.flatMap((name) => attributeOf(element, name) ?? [])),
    ),
  )

/** Whether a rule or a script may be about an element of a name, which would then be about a new one of this name too. */
export const isMentioned = ({ project, textOf }: Sources, name: string): boolean => {
  const mention = new RegExp(`[#"'\`]${name}(?![\\w-])`)
  const files = project.files.flatMap(({ file, scripts, sheets }) => [
    file,
    ...scripts.map((script) => script.file),
    ...sheets.map((sheet) => sheet.file),
  ])
  return [...new Set(files)].some((file) => mention.test(textOf(file) ?? ''))
}

/** A name that is not taken yet: `title-2` after `title`. */
export const freeName = (name: string, taken: { has(name: string): boolean }): string => {
  const stem = name.replace(/-\d+$/, '')
  for (let number = 2; ; number += 1) {
    const candidate = `${stem}-${number}`
    if (!taken.has(candidate)) return candidate
  }
}
