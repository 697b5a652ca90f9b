import type { Page } from 'puppeteer-core'

/** Numbers from 0 to before 1 that are the same for each seed. */
export const createRandom = (seed: number) => {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    /** A whole number from `from` to `to`. */
    whole: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    one<T>(values: readonly T[]): T {
      const value = values[Math.floor(next() * values.length)]
      if (value === undefined) throw new Error('there is nothing to choose from')
      return value
    },
  }
}

export type Random = ReturnType<typeof createRandom>

/** A clip as it is on the screen. */
interface ShownClip {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** Brings a clip into view; null where none can be reached at its middle. */
const findClip = async (page: Page, random: Random): Promise<ShownClip | null> => {
  const share = random.next()
  return page.evaluate((part) => {
    const clips = [...document.querySelectorAll('.clip:not(.fixed)')]
    const clip = clips[Math.floor(part * clips.length)]
    clip?.scrollIntoView({ block: 'center' })
    const area = clip?.getBoundingClientRect()
    if (!clip || !area) return null
    const { x, width, top, height } = area
    const y = top + height / 2
    return clip.contains(document.elementFromPoint(x + width / 2, y)) ? { x, y, width } : null
  }, share)
}

const drag = async (page: Page, from: number, y: number, by: number, isCancelled: boolean) => {
  await page.mouse.move(from, y)
  await page.mouse.down()
  await page.mouse.move(from + by / 2, y, { steps: 2 })
  await page.mouse.move(from + by, y, { steps: 2 })
  if (isCancelled) await page.keyboard.press('Escape')
  await page.mouse.up()
}

const withKey = async (page: Page, key: 'Control' | 'Shift', work: () => Promise<void>) => {
  await page.keyboard.down(key)
  await work()
  await page.keyboard.up(key)
}

const press = (page: Page, key: 'z' | 'y' | 's') => withKey(page, 'Control', () => page.keyboard.press(key))

const select = async (page: Page, random: Random) => {
  const clip = await findClip(page, random)
  if (clip) await page.mouse.click(clip.x + clip.width / 2, clip.y)
  return clip
}

/** Puts the playhead into a clip, on the ruler. */
const scrubInto = async (page: Page, { x, width }: ShownClip, random: Random) => {
  const ruler = await (await page.$('.ruler.lane'))?.boundingBox()
  if (ruler) await page.mouse.click(x + width * (0.2 + 0.6 * random.next()), ruler.y + 12)
}

type Gesture = (page: Page, random: Random) => Promise<void>

const dragPart =
  (part: 'middle' | 'start' | 'end'): Gesture =>
  async (page, random) => {
    const clip = await findClip(page, random)
    if (!clip) return
    const { x, y, width } = clip
    const from = part === 'middle' ? x + width / 2 : part === 'start' ? x + 2 : x + width - 2
    await drag(page, from, y, random.whole(-60, 60), random.next() < 0.1)
  }

const dragSeveral: Gesture = async (page, random) => {
  await select(page, random)
  await withKey(page, 'Shift', async () => void (await select(page, random)))
  const clip = await findClip(page, random)
  if (clip) await drag(page, clip.x + clip.width / 2, clip.y, random.whole(-40, 40), false)
}

const byKeys =
  (keys: readonly ('s' | '[' | ']' | ',' | '.' | '<' | '>' | 'd' | 'Delete')[]): Gesture =>
  async (page, random) => {
    await page.keyboard.press('Escape')
    const clip = await select(page, random)
    if (!clip) return
    await scrubInto(page, clip, random)
    await page.keyboard.press(random.one(keys))
  }

const dragOnPicture: Gesture = async (page, random) => {
  const picture = await (await page.$('.picture'))?.boundingBox()
  if (!picture) return
  const x = picture.x + picture.width * random.next()
  const y = picture.y + picture.height * random.next()
  await page.mouse.click(x, y)
  await drag(page, x, y, random.whole(-30, 30), random.next() < 0.2)
}

/** What a person does, as often as it stands here. */
const GESTURES: readonly Gesture[] = [
  dragPart('middle'),
  dragPart('middle'),
  dragPart('middle'),
  dragPart('start'),
  dragPart('end'),
  dragSeveral,
  byKeys(['s']),
  byKeys(['d', 'Delete']),
  byKeys([',', '.', '<', '>']),
  byKeys(['[', ']']),
  dragOnPicture,
  (page) => press(page, 'z'),
  (page) => press(page, 'y'),
]

/** Part of the gestures that writes what is staged. */
const WRITES = 0.02

/** Does something that a person could do to a composition in the preview. */
export const doGesture = (page: Page, random: Random): Promise<void> =>
  random.next() < WRITES ? press(page, 's') : random.one(GESTURES)(page, random)
