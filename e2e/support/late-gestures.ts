import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ElementFacts, type Operation, openEdit } from '@vid/edit'
import type { Page } from 'puppeteer-core'
import { createRandom, type Random } from './gestures.ts'
import type { AnsweredCall } from './late-answers.ts'

const BOXES = 8
const CLIPS = 8

/** Pixels between boxes, far more than any drag: what is written shows from which box it was counted. */
const GRID = { x: 240, y: 250 }

const leftOf = (index: number) => 20 + (index % 4) * GRID.x
const topOf = (index: number) => 20 + Math.floor(index / 4) * GRID.y

/** A composition of boxes to be dragged and written into, and of clips of other times; half of each have an id. */
export const lateComposition = (): string => {
  const name = (kind: string, index: number) => `${index % 2 === 0 ? 'id' : 'class'}="${kind}${index}"`
  const boxes = Array.from({ length: BOXES }, (_, index) => {
    const place = `position:absolute;left:${leftOf(index)}px;top:${topOf(index)}px;width:100px;height:60px`
    return `  <div ${name('box', index)} style="${place};background:#468">Box ${index}</div>`
  })
  const clips = Array.from(
    { length: CLIPS },
    (_, index) =>
      `  <p ${name('clip', index)} data-start="${index * 5}" data-duration="2" data-track-index="${index}" style="position:absolute;left:0;top:480px;width:8px;height:8px"></p>`,
  )
  return `<!doctype html>
<body style="margin:0">
<div data-composition-id="film" data-width="960" data-height="500" data-duration="45">
${[...boxes, ...clips].join('\n')}
</div>
</body>
`
}

/** What was done to each element: all that may be written of it. */
interface Intents {
  readonly drags: { readonly name: string; readonly x: number; readonly y: number }[]
  readonly widths: { readonly name: string; readonly value: string }[]
  readonly texts: { readonly name: string; readonly value: string }[]
  /** Seconds by which a clip may have been moved. */
  readonly moves: { readonly name: string; readonly most: number }[]
}

export const createIntents = (): Intents => ({ drags: [], widths: [], texts: [], moves: [] })

/** Where the middle of a box is on the screen, as the composition has it. */
const pointOf = async (page: Page, index: number) => {
  const area = await (await page.$('.picture'))?.boundingBox()
  if (!area) throw new Error('there is no picture')
  const scale = area.width / 960
  return { x: area.x + (leftOf(index) + 50) * scale, y: area.y + (topOf(index) + 30) * scale }
}

const drag = async (page: Page, from: { x: number; y: number }, by: { x: number; y: number }) => {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2)
  await page.mouse.move(from.x + by.x, from.y + by.y)
  await page.mouse.up()
}

type LateGesture = (page: Page, random: Random, intents: Intents, count: number) => Promise<void>

const clickBox = async (page: Page, index: number) => {
  const { x, y } = await pointOf(page, index)
  await page.mouse.click(x, y)
}

const dragBox: LateGesture = async (page, random, { drags }) => {
  const index = random.whole(0, BOXES - 1)
  const far = () => random.one([-1, 1]) * random.whole(4, 12)
  const by = { x: far(), y: far() }
  drags.push({ name: `box${index}`, ...by })
  await clickBox(page, index)
  await drag(page, await pointOf(page, index), by)
}

/** Selects one box and, before it is known, another one. */
const hopAndDrag: LateGesture = async (page, random, intents, count) => {
  await clickBox(page, random.whole(0, BOXES - 1))
  await dragBox(page, random, intents, count)
}

/** Types a width into the panel for the element that it names. */
const typeWidth: LateGesture = async (page, random, { widths }, count) => {
  await clickBox(page, random.whole(0, BOXES - 1))
  const field = await page.$('::-p-aria([name="Width"][role="textbox"])')
  const shown = await page.evaluate(() => document.querySelector('.element-head code')?.textContent ?? '')
  const name = /"(box\d+)"/.exec(shown)?.[1]
  if (!field || name === undefined) return
  const value = `100.${count}`
  widths.push({ name, value })
  // The panel may show another element before the field has the keyboard.
  const isFocused = await field.evaluate((input, label) => {
    if (document.querySelector('.element-head code')?.textContent !== label) return false
    if (!(input instanceof HTMLInputElement) || !input.isConnected) return false
    input.focus()
    return true
  }, shown)
  if (!isFocused) return
  await page.keyboard.type(value)
  await page.keyboard.press('Enter')
}

/** Clicks a text twice and types at once. */
const typeText: LateGesture = async (page, random, { texts }, count) => {
  const index = random.whole(0, BOXES - 1)
  const { x, y } = await pointOf(page, index)
  await page.keyboard.press('Escape')
  await page.mouse.click(x, y, { count: 2 })
  const value = `new title ${count}`
  texts.push({ name: `box${index}`, value })
  await page.keyboard.type(value)
  await page.keyboard.press('Enter')
}

const clipPoint = async (page: Page, random: Random) => {
  const index = random.whole(0, CLIPS - 1)
  const middle = await page.evaluate((index) => {
    const clip = [...document.querySelectorAll('.clip')].find(({ ariaLabel }) => ariaLabel?.startsWith(`clip${index},`))
    clip?.scrollIntoView({ block: 'center' })
    const { x = 0, y = 0, width = 0, height = 0 } = clip?.getBoundingClientRect() ?? {}
    return { x: x + width / 2, y: y + height / 2, width }
  }, index)
  return middle.width > 0 ? { ...middle, name: `clip${index}` } : null
}

const dragClip: LateGesture = async (page, random, { moves }) => {
  const clip = await clipPoint(page, random)
  if (!clip) return
  moves.push({ name: clip.name, most: 1.5 })
  const seconds = random.one([-1, 1]) * (0.4 + 0.6 * random.next())
  await drag(page, clip, { x: (seconds * clip.width) / 2, y: 0 })
}

const nudgeClip: LateGesture = async (page, random, { moves }) => {
  const clip = await clipPoint(page, random)
  if (!clip) return
  await page.mouse.click(clip.x, clip.y)
  const pressed = await page.evaluate(() =>
    [...document.querySelectorAll('.clip[aria-pressed="true"]')].map(({ ariaLabel }) => ariaLabel?.split(',')[0] ?? ''),
  )
  for (const name of pressed) moves.push({ name, most: 0.2 })
  await page.keyboard.press(random.one([',', '.']))
  await page.keyboard.press(random.one([',', '.']))
}

const takeBack: LateGesture = async (page) => {
  await page.keyboard.down('Control')
  await page.keyboard.press('z')
  await page.keyboard.up('Control')
}

const GESTURES = [
  dragBox,
  dragBox,
  hopAndDrag,
  hopAndDrag,
  typeWidth,
  typeWidth,
  typeText,
  dragClip,
  nudgeClip,
  takeBack,
]

/** Does things to a composition without waiting for anything; notes what each of them may write. */
export const doLateGestures = async (
  page: Page,
  {
    seed,
    first,
    count,
    intents,
  }: { readonly seed: number; readonly first: number; readonly count: number; readonly intents: Intents },
): Promise<void> => {
  const random = createRandom(seed + first)
  for (let number = first; number < first + count; number += 1) {
    // The picture at its size, whatever has been dragged past the elements.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('1')
    await random.one(GESTURES)(page, random, intents, number)
  }
}

const pixels = (facts: ElementFacts, property: string) =>
  Number.parseFloat(facts.styles.find((style) => style.property === property)?.value ?? '')

/** What of an operation was not meant for its element; undefined where all of it was. */
const strayOf = (operation: Operation, facts: ElementFacts, intents: Intents): string | undefined => {
  const name = facts.attributes.id ?? facts.attributes.class ?? ''
  const stray = (what: string) => `${what} of ${name}: ${JSON.stringify(operation)}`
  const ofElement = <T extends { readonly name: string }>(list: readonly T[]) =>
    list.filter((item) => item.name === name)
  if (operation.op === 'text') {
    // What was typed before the field had the keyboard is lost, and does nothing else.
    const isMeant = ofElement(intents.texts).some(({ value }) => value.endsWith(operation.text))
    return isMeant ? undefined : stray('text')
  }
  if (operation.op === 'move') {
    const by = Math.abs((operation.to ?? Number.NaN) - (facts.clip?.start ?? Number.NaN))
    return ofElement(intents.moves).some(({ most }) => by <= most) ? undefined : stray(`time moved by ${by}`)
  }
  if (operation.op !== 'style') return stray('operation')
  const { property, value } = operation
  if (property === 'width')
    return ofElement(intents.widths).some((width) =>
      `${width.value}px`.startsWith(String(Number.parseFloat(value ?? ''))),
    )
      ? undefined
      : stray('width')
  const by = Number.parseFloat(value ?? '') - pixels(facts, property)
  const isMeant = ofElement(intents.drags).some(({ x, y }) => Math.abs((property === 'left' ? x : y) - by) < 0.11)
  return isMeant ? undefined : stray(`place moved by ${by}`)
}

/** Makes the calls of a page again on the composition; lists what no gesture has meant for the element that it is about. */
export const findStrays = async (folder: string, calls: readonly AnsweredCall[], intents: Intents) => {
  const copy = await mkdtemp(join(folder, 'replay-'))
  await writeFile(join(copy, 'index.html'), lateComposition())
  const edit = await openEdit(copy)
  const strays: string[] = []
  let undone: (readonly Operation[])[] = []
  const staged: (readonly Operation[])[] = []
  const stage = async (operations: readonly Operation[]) => {
    await edit.stage(operations, { who: { kind: 'person', name: 'replay' } })
    staged.push(operations)
  }
  for (const { name, operations } of calls) {
    if (name === 'stage') {
      for (const operation of operations) {
        if (!('target' in operation) || operation.target === undefined) continue
        const stray = strayOf(operation, await edit.inspect(operation.target), intents)
        if (stray !== undefined) strays.push(stray)
      }
      const before = edit.steps().length
      await stage(operations)
      if (edit.steps().length === before) staged.pop()
      else undone = []
    }
    if (name === 'undo') {
      edit.discard(1)
      undone.push(staged.pop() ?? [])
    }
    if (name === 'redo') await stage(undone.pop() ?? [])
    if (name === 'discard') {
      edit.discard()
      staged.length = 0
    }
  }
  const text = edit.files().get('index.html')
  return { strays, text: text?.kind === 'text' ? new TextDecoder().decode(text.bytes) : lateComposition() }
}
