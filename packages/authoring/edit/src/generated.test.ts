import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attributeOf, descendants, type Element, parseDocument } from '@vid/core/source-model'
import { isVidError } from '@vid/protocol'
import { expect, test } from 'vitest'
import { type Chance, createChance, generatePage } from './fixtures/generated.ts'
import { type GeneratedOperation, generateOperation } from './fixtures/generated-operation.ts'
import { makeProject, TESTER, textAt } from './fixtures/project.ts'
import { type ClipFacts, openEdit } from './index.ts'
import { operationSchemas } from './operations/operation.ts'

/** Pairs of a source and an operation; npm run lab -- edit-pairs tries 20,000. */
const PAIRS = Number(process.env.VID_EDIT_PAIRS ?? 400)
/** The seed of the first source. */
const FIRST = Number(process.env.VID_EDIT_SEED ?? 1)
/** Operations on each source. */
const EACH = 20

const elementsOf = (html: string): readonly Element[] => [...descendants(parseDocument(html))]

const withId = (elements: readonly Element[], id: string) =>
  elements.find((element) => attributeOf(element, 'id') === id)

const startTag = (element: Element): readonly [number, number] => {
  const place = element.sourceCodeLocation
  return [place?.startOffset ?? 0, place?.startTag?.endOffset ?? place?.endOffset ?? 0]
}

const inside = (element: Element): readonly [number, number] => {
  const place = element.sourceCodeLocation
  return [place?.startTag?.endOffset ?? 0, place?.endTag?.startOffset ?? place?.endOffset ?? 0]
}

/** A text with the parts that may differ taken out. */
const without = (html: string, spans: readonly (readonly [number, number])[]): string => {
  let rest = html
  for (const [start, end] of spans.toSorted((a, b) => b[0] - a[0])) rest = `${rest.slice(0, start)}\0${rest.slice(end)}`
  return rest
}

/** An element with its attributes and its own text. */
const shapeOf = (element: Element) => ({
  tag: element.tagName,
  attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
  text: element.childNodes.map((node) => ('value' in node ? node.value.replaceAll(/\s+/g, ' ') : '')).join('|'),
})

/** The attributes that an operation may change of its target, and of others. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  move: ['data-start', 'data-end'],
  trim: ['data-start', 'data-end', 'data-duration', 'data-media-start'],
  track: ['data-track-index', 'data-layer'],
  set: ['class', 'title', 'lang', 'hidden'],
  style: ['style'],
  media: ['src'],
  volume: ['data-volume'],
  fade: ['data-fade-in', 'data-fade-out'],
  size: ['data-width', 'data-height'],
  variable: ['data-composition-variables'],
  text: [],
}

const targetOf = (operation: GeneratedOperation, elements: readonly Element[]): Element => {
  const id = operation.target === undefined ? 'root' : String(operation.target).slice(1)
  const element = operation.op === 'variable' ? elements[0] : withId(elements, id)
  if (!element) throw new Error(`no element ${id}`)
  return element
}

/** Checks an operation that keeps every element: which differ, in which attributes, and all bytes but theirs. */
const checkKept = (operation: GeneratedOperation, before: string, after: string): void => {
  // The breaks of a text are a part of it.
  const isCompared = ({ tagName }: Element) => operation.op !== 'text' || tagName !== 'br'
  const old = elementsOf(before).filter(isCompared)
  const now = elementsOf(after).filter(isCompared)
  expect(now.length).toBe(old.length)
  const target = targetOf(operation, old)
  const family = new Set([target, ...(operation.op === 'move' ? descendants(target) : [])])
  const spans: [(readonly [number, number])[], (readonly [number, number])[]] = [[], []]
  for (const [index, element] of old.entries()) {
    const twin = now[index] as Element
    const isScript = element.tagName === 'style' || element.tagName === 'script'
    const isText = operation.op === 'text' && element === target
    const one = shapeOf(element)
    const other = shapeOf(twin)
    if (family.has(element)) {
      for (const name of OWN[operation.op] ?? []) {
        delete one.attributes[name]
        delete other.attributes[name]
      }
      spans[0].push(startTag(element))
      spans[1].push(startTag(twin))
    }
    if (isText || isScript) {
      spans[0].push(inside(element))
      spans[1].push(inside(twin))
      other.text = one.text
    }
    expect(other).toEqual(one)
  }
  expect(without(after, spans[1])).toBe(without(before, spans[0]))
}

/** Without spaces between tags, a text with what came or went taken out. */
const packed = (text: string) => text.replaceAll(/\s+/g, '')

/** The start tags of the clips whose starts refer to others: an operation that removes or splits one may rewrite them. */
const referring = (elements: readonly Element[]): (readonly [number, number])[] =>
  elements
    .filter(
      (element) => /^e/.test(attributeOf(element, 'data-start') ?? '') || attributeOf(element, 'data-start') !== null,
    )
    .map(startTag)

const outer = (element: Element): readonly [number, number] => [
  element.sourceCodeLocation?.startOffset ?? 0,
  element.sourceCodeLocation?.endOffset ?? 0,
]

const styles = (elements: readonly Element[]) => elements.filter(({ tagName }) => tagName === 'style').map(inside)

/** Spans that are in no other one. */
const outermost = (spans: readonly (readonly [number, number])[]) =>
  spans.filter(
    ([start, end], index) =>
      !spans.some(
        ([a, b], other) => other !== index && a <= start && end <= b && (b - a > end - start || other < index),
      ),
  )

/** Checks an operation by which elements come, go or move. */
const checkMoved = (operation: GeneratedOperation, before: string, after: string): void => {
  const [old, now] = [elementsOf(before), elementsOf(after)]
  const target = targetOf(operation, old)
  const { op } = operation
  if (op === 'order') {
    // Its source is the same text at another place; an end tag that it lacks may stand anywhere.
    const source = before.slice(...outer(target))
    expect(after).toContain(source)
    const cut = (text: string, at: number) => packed(text.slice(0, at) + text.slice(at + source.length))
    const twin = withId(now, attributeOf(target, 'id') ?? '') as Element
    expect(cut(after, startTag(twin)[0])).toBe(cut(before, startTag(target)[0]))
    expect(
      now
        .map(shapeOf)
        .map((shape) => JSON.stringify({ ...shape, text: '' }))
        .sort(),
    ).toEqual(
      old
        .map(shapeOf)
        .map((shape) => JSON.stringify({ ...shape, text: '' }))
        .sort(),
    )
    return
  }
  const ids = new Set(old.flatMap((element) => attributeOf(element, 'id') ?? []))
  const added =
    op === 'remove'
      ? []
      : now.filter((element) => !ids.has(attributeOf(element, 'id') ?? '') && attributeOf(element, 'id') !== null)
  const spansBefore = outermost([...(op === 'remove' ? [outer(target)] : []), ...referring(old), ...styles(old)])
  const spansAfter = outermost([...added.map(outer), ...referring(now), ...styles(now)])
  const size =
    op === 'insert'
      ? added.flatMap((element) => [element, ...descendants(element)]).length
      : [...descendants(target)].length + 1
  expect(now.length).toBe(op === 'remove' ? old.length - size : old.length + size)
  expect(packed(without(after, spansAfter)).replaceAll('\0', '')).toBe(
    packed(without(before, spansBefore)).replaceAll('\0', ''),
  )
}

/** Checks a text after an operation against the one before. */
const checkText = (operation: GeneratedOperation, before: string, after: string): void => {
  if (['split', 'duplicate', 'remove', 'insert', 'order'].includes(operation.op)) checkMoved(operation, before, after)
  else checkKept(operation, before, after)
}

/** An operation with its target written in another way, in some cases. */
const readdressed = (operation: GeneratedOperation, clips: readonly ClipFacts[], chance: Chance) => {
  const clip = clips.find(({ id }) => operation.target === `#${id}`)
  if (!clip || !chance.in(4)) return operation
  const { address, line } = clip
  const { file, digest } = address
  return { ...operation, target: chance.one([`index.html#${clip.id}`, address, { file, line, digest }]) }
}

test('an operation changes what it is about and no other byte, and undo restores all of them', {
  timeout: 3_600_000,
}, async () => {
  const counts = new Map<string, number>()
  const refusals = new Map<string, number>()
  const fields = new Map<string, Set<string>>()
  const folder = await makeProject({ 'a.mp4': '', 'b.mp4': '' })
  const outside = join(await makeProject({ 'take.mp4': 'take' }), 'take.mp4')
  for (let pair = 0; pair < PAIRS; ) {
    const seed = Math.floor(pair / EACH) + FIRST
    const page = generatePage(seed)
    const chance = createChance(seed + 1_000_000)
    await writeFile(join(folder, 'index.html'), page.html)
    const edit = await openEdit(folder)
    const clips = await edit.clips()
    const mark = page.html.startsWith('\uFEFF') ? '\uFEFF' : ''
    for (let index = 0; index < EACH && pair < PAIRS; index += 1, pair += 1) {
      const operation = generateOperation(page, chance, outside)
      fields.set(operation.op, new Set([...(fields.get(operation.op) ?? []), ...Object.keys(operation)]))
      try {
        await edit.stage([readdressed(operation, clips, chance)], { who: TESTER })
      } catch (thrown) {
        if (!isVidError(thrown) || !thrown.code.startsWith('VID_EDIT_')) throw thrown
        refusals.set(thrown.code, (refusals.get(thrown.code) ?? 0) + 1)
        continue
      }
      const staged = edit.files().get('index.html')
      if (staged?.kind !== 'text') continue
      const after = new TextDecoder('utf-8', { ignoreBOM: true }).decode(staged.bytes)
      expect(after.startsWith('\uFEFF')).toBe(mark !== '')
      const [one, other] = [page.html.slice(mark.length), after.slice(mark.length)]
      try {
        checkText(operation, one, other)
      } catch (thrown) {
        throw new Error(`seed ${seed}, ${JSON.stringify(operation)}:\n${edit.diff()}`, { cause: thrown })
      }
      counts.set(operation.op, (counts.get(operation.op) ?? 0) + 1)
      if (chance.in(10)) {
        await edit.write()
        expect(await textAt(folder, 'index.html')).toBe(after)
        await edit.undo(TESTER)
        expect(await textAt(folder, 'index.html')).toBe(page.html)
      } else edit.discard()
    }
  }
  // Most pairs are edits, of every kind; the others are refused with a reason.
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  expect([...counts.keys()].sort()).toEqual(Object.keys(operationSchemas).sort())
  for (const [op, { properties }] of Object.entries(operationSchemas))
    expect([...(fields.get(op) ?? [])].sort(), op).toEqual(Object.keys(properties).sort())
  expect(total).toBeGreaterThan(PAIRS * 0.5)
  console.info(`${total} edits of ${PAIRS} pairs`, Object.fromEntries(counts), Object.fromEntries(refusals))
})
