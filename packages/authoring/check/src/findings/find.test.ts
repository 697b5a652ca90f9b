import { type CompositionFacts, defineCheck } from '@vid/kernel'
import { expect, test } from 'vitest'
import type { SeenComposition } from '../facts/read-facts.ts'
import { findAll } from './find.ts'

const composition = {
  facts: { frames: 10, fps: 10, elements: [], texts: [] } as unknown as CompositionFacts,
} as SeenComposition

/** What becomes of what a check of others does. */
const endingOf = (check: () => unknown): unknown => {
  const texts = { rule: 'odd-rule', level: 'error', what: 'Finds.', why: 'It matters.', hint: 'Mend it.' } as const
  const plugin = defineCheck({ name: '@acme/odd', ...texts, check: check as never })()
  try {
    return findAll(composition, [{ plugin, level: 'error' }], null)
  } catch (thrown) {
    return thrown
  }
}

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no luck')
    },
  ],
  [
    'throws null',
    () => {
      throw null
    },
  ],
  ['returns nothing', () => undefined],
  ['returns a number', () => 7],
  ['returns a promise', async () => []],
])('a check that %s is named', (_, check) => {
  expect(endingOf(check)).toMatchObject({ code: 'VID_PLUGIN_FAILED', plugin: '@acme/odd', hook: 'check' })
})

test.each<[string, unknown]>([
  ['null', null],
  ['a number', 7],
  ['an object of something else', { nope: 1 }],
  ['one without a message', { frames: [0, 1] }],
  ['one of frames that the composition does not have', { frames: [0, 11], message: 'Too long.' }],
])('%s among what a check finds is named', (_, spot) => {
  expect(endingOf(() => [spot])).toMatchObject({ code: 'VID_CHECK_SPOT', plugin: '@acme/odd' })
})
