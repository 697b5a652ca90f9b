import type postcss from 'postcss'
import { compositionDigest } from '../source/digest.ts'

/** Font families that an embedded file declares: authored name in lower case → name in the page. */
export type FontNames = ReadonlyMap<string, string>

const unquote = (name: string) => name.trim().replace(/^(["'])(.*)\1$/s, '$2')

const familyOf = (face: postcss.AtRule): string | undefined => {
  let family: string | undefined
  face.walkDecls(/^font-family$/i, ({ value }) => {
    family = unquote(value)
  })
  return family
}

/** Names each family by its content: different fonts of the same name get different names, equal ones share a name. */
export const nameFonts = (sheets: readonly postcss.Root[]): FontNames => {
  const faces = new Map<string, { family: string; css: string }>()
  for (const sheet of sheets)
    sheet.walkAtRules(/^font-face$/i, (face) => {
      const family = familyOf(face)
      if (!family) return
      const key = family.toLowerCase()
      faces.set(key, { family, css: `${faces.get(key)?.css ?? ''}${face}\n` })
    })
  return new Map([...faces].map(([key, { family, css }]) => [key, `${family} (${compositionDigest(css).slice(0, 8)})`]))
}

const pattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+')

/** Renames the families of a `font-family` or `font` value. */
export const renameFonts = (value: string, names: FontNames): string => {
  let renamed = value
  for (const [family, name] of names) {
    const source = pattern(family)
    const part = new RegExp(`(^|[\\s,])(?:"${source}"|'${source}'|${source})(?=\\s*(?:,|;|!|$))`, 'gi')
    renamed = renamed.replace(part, (_all, before: string) => `${before}'${name}'`)
  }
  return renamed
}

const isFontProperty = (property: string) => /^(font|font-family|--.+)$/i.test(property)

/** Declares a sheet's fonts also under their page names, which its rules then use; scripts still find the authored names. */
export const scopeFonts = (sheet: postcss.Root, names: FontNames): void => {
  if (names.size === 0) return
  sheet.walkDecls((declaration) => {
    const { parent } = declaration
    const isFace = parent?.type === 'atrule' && /^font-face$/i.test((parent as postcss.AtRule).name)
    if (!isFace && isFontProperty(declaration.prop)) declaration.value = renameFonts(declaration.value, names)
  })
  const faces: postcss.AtRule[] = []
  sheet.walkAtRules(/^font-face$/i, (face) => void faces.push(face))
  for (const face of faces) {
    const name = names.get(familyOf(face)?.toLowerCase() ?? '')
    if (name === undefined) continue
    const copy = face.clone()
    copy.walkDecls(/^font-family$/i, (declaration) => {
      declaration.value = `"${name}"`
    })
    face.after(copy)
  }
}

/** Renames the families in the declarations of an inline style. */
export const renameInlineFonts = (style: string, names: FontNames): string =>
  names.size === 0
    ? style
    : style.replace(
        /(^|;)(\s*)(font|font-family|--[\w-]+)(\s*:)([^;]*)/gi,
        (_all, end: string, space: string, property: string, colon: string, value: string) =>
          `${end}${space}${property}${colon}${renameFonts(value, names)}`,
      )
