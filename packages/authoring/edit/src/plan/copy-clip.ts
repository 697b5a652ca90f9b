import { parseStart } from '@vid/core'
import { attributeOf, type Element, labelOf } from '@vid/core/source-model'
import type { AttributeEdit } from '../patch/edit.ts'
import { addEdit, addNote, type Plan } from '../patch/plan.ts'
import { type SourceClip, startAfter } from '../source/clips.ts'
import { withDescendants } from '../source/locate.ts'
import { lineOfNode, rulesOf, sheetsOf } from '../source/sheet-source.ts'
import type { Sources } from '../source/sources.ts'
import { type OperationContext, refuse } from './context.ts'
import { freeName, NAME_ATTRIBUTES, takenNames } from './names.ts'

/** Attributes that list ids. */
const ID_LISTS = new Set([
  'for',
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-owns',
  'headers',
  'list',
])

/** The names of a copy: authored name → that in the copy. */
export type CopyNames = ReadonlyMap<string, string>

/** Chooses the names of a copy; VID_EDIT_REFUSED when a name that is asked for is taken. */
export const nameCopy = (
  { sources }: OperationContext,
  op: 'split' | 'duplicate',
  element: Element,
  id: string | undefined,
): CopyNames => {
  const taken = takenNames(sources)
  if (id !== undefined && taken.has(id))
    throw refuse(op, labelOf(element), `the id "${id}" is taken`, 'Choose another id, or leave it out.')
  if (withDescendants(element).some(({ tagName }) => tagName === 'script'))
    throw refuse(op, labelOf(element), 'it holds a script, which would run twice', 'Move the script out of it first.')
  const names = new Map<string, string>()
  for (const inner of withDescendants(element))
    for (const attribute of NAME_ATTRIBUTES) {
      const name = attributeOf(inner, attribute)
      if (!name || names.has(name)) continue
      const chosen = inner === element && attribute === 'id' && id !== undefined ? id : freeName(name, taken)
      names.set(name, chosen)
      taken.add(chosen)
    }
  return names
}

/** The value of an attribute with the names of a copy. */
const renamed = (name: string, value: string, names: CopyNames): string => {
  if (name === 'id' || name === 'data-composition-id') return names.get(value) ?? value
  if (ID_LISTS.has(name)) return value.replaceAll(/\S+/g, (id) => names.get(id) ?? id)
  if (name === 'data-start') {
    const start = parseStart(value, (text) => names.has(text))
    const after = 'after' in start ? names.get(start.after) : undefined
    return 'after' in start && after !== undefined ? startAfter(after, start.offset) : value
  }
  if ((name === 'href' || name === 'xlink:href') && value.startsWith('#')) {
    const id = names.get(value.slice(1))
    return id === undefined ? value : `#${id}`
  }
  return value.replaceAll(/url\(\s*(["']?)#([^"'()\s]+)\1\s*\)/g, (call, quote: string, id: string) => {
    const other = names.get(id)
    return other === undefined ? call : `url(${quote}#${other}${quote})`
  })
}

/** The edits that give a copy names of its own, and let what refers to them inside of it follow. */
export const renameCopy = (element: Element, names: CopyNames, id: string | undefined): readonly AttributeEdit[] => {
  const edits = withDescendants(element).flatMap((inner) =>
    inner.attrs.flatMap(({ name, prefix, value }): AttributeEdit[] => {
      const after = renamed(prefix ? `${prefix}:${name}` : name, value, names)
      return after === value ? [] : [{ kind: 'attribute', element: inner, name, value: after }]
    }),
  )
  const isNew = id !== undefined && attributeOf(element, 'id') === null
  return isNew ? [{ kind: 'attribute', element, name: 'id', value: id }, ...edits] : edits
}

const PLAIN_ID = /^[a-z_][\w-]*$/i

/** A selector with the names of a copy; undefined where it has none of them. */
const selectorFor = (selector: string, names: CopyNames): string | undefined => {
  let isOther = false
  const other = selector.replaceAll(/#([a-z_][\w-]*)/gi, (text, id: string) => {
    const name = names.get(id)
    isOther ||= name !== undefined
    return name === undefined ? text : `#${name}`
  })
  return isOther ? other : undefined
}

/** Lets the rules that style elements by their ids style the copy as well. */
export const styleCopy = (plan: Plan, sources: Sources, { file, element }: SourceClip, names: CopyNames): void => {
  const done = new Set<string>()
  for (const source of sheetsOf(sources, file))
    for (const rule of rulesOf(source)) {
      const place = rule.source?.start?.offset
      const selector = (rule.raws.selector as { raw?: string } | undefined)?.raw ?? rule.selector
      const others = rule.selectors.flatMap((one) => selectorFor(one, names) ?? [])
      const key = `${source.sheet.file}:${(place ?? 0) + source.offset}`
      if (place === undefined || others.length === 0 || done.has(key)) continue
      done.add(key)
      const end = source.offset + place + selector.length
      addEdit(plan, source.sheet.file, {
        kind: 'raw',
        element: source.holder,
        start: end,
        end,
        text: `, ${others.join(', ')}`,
      })
      plan.follows.push({
        file: source.sheet.file,
        line: lineOfNode(source, rule),
        text: `The rule "${rule.selector}" is also of the copy.`,
      })
    }
  for (const name of names.keys())
    if (!PLAIN_ID.test(name))
      addNote(plan, {
        kind: 'style',
        file: file.file,
        line: element.sourceCodeLocation?.startLine ?? 1,
        text: `Rules that style "${name}" by its id are not of the copy.`,
      })
}
