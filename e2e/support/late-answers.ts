import type { Operation } from '@vid/edit'
import type { Page } from 'puppeteer-core'

/** Delays every answer about edits by up to some milliseconds, the same ones for each seed. */
export const delayAnswers = (page: Page, seed: number, most: number): Promise<void> =>
  page.evaluate(
    (seed, most) => {
      let state = seed
      // Numbers of a linear congruential generator, from 0 to before 1.
      const next = () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return state / 2 ** 32
      }
      const { fetch } = window
      window.fetch = async (input, init) => {
        const reply = await fetch(input, init)
        if (String(input).includes('/api/edit')) await new Promise((resolve) => setTimeout(resolve, next() * most))
        init?.signal?.throwIfAborted()
        return reply
      }
    },
    seed,
    most,
  )

/** Holds the answers to a call about edits back; returns how to let them go. */
export const holdAnswers = async (page: Page, name: string): Promise<() => Promise<void>> => {
  await page.evaluate((name) => {
    const { fetch } = window
    const gate = new Promise<void>((resolve) => Object.assign(window, { letAnswersGo: resolve }))
    window.fetch = async (input, init) => {
      const reply = await fetch(input, init)
      if (String(input).includes(`/api/edit/${name}`)) await gate
      init?.signal?.throwIfAborted()
      return reply
    }
  }, name)
  return () => page.evaluate(() => (window as unknown as { letAnswersGo(): void }).letAnswersGo())
}

/** A call that has changed what is staged, or the files. */
export interface AnsweredCall {
  readonly name: string
  readonly operations: readonly Operation[]
}

/** Lists the calls of a page that have changed something, in their order. */
export const listCalls = (page: Page): readonly AnsweredCall[] => {
  const calls: AnsweredCall[] = []
  page.on('response', (response) => {
    const name = /\/api\/edit\/(stage|undo|redo|discard|write)$/.exec(response.url())?.[1]
    if (name === undefined || !response.ok()) return
    const { operations = [] } = JSON.parse(response.request().postData() ?? '{}') as Partial<AnsweredCall>
    calls.push({ name, operations })
  })
  return calls
}
