import type { CheckSpot, CompositionFacts } from '@vid/kernel'
import { describe, expect, test } from 'vitest'
import { compositionFacts } from './composition-facts.ts'
import { type MakePlugin, maker, type SuiteOptions, testOptions } from './suite.ts'

/** What a check is tried with. */
export interface CheckSuiteOptions extends SuiteOptions {
  /** A composition in which it has to find something, such as one of `compositionFacts`. */
  readonly wrong: CompositionFacts
  /** The same composition without the mistake, in which it has to find nothing. */
  readonly right: CompositionFacts
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const SENTENCE = /^[A-Z][^\n]*\.$/

/** A message may begin with the text or the selector that it is about. */
const MESSAGE = /^\S[^\n]*\.$/

/** Makes everything below a value unchangeable: what a check changes, other checks would see. */
const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}

const problemOf = ({ frames: [start, end], element, message }: CheckSpot, { frames, elements }: CompositionFacts) => {
  if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start && end <= frames))
    return `frames ${start} to ${end} of ${frames}`
  if (element !== undefined && element !== null && !elements[element]) return `element ${element}`
  return MESSAGE.test(message) ? undefined : `message "${message}"`
}

/** Tests a check against its contract. */
export const checkSuite = (make: MakePlugin<'check'>, options: CheckSuiteOptions) => {
  const { wrong, right } = options
  const plugin = maker(make, options)
  const find = (facts: CompositionFacts) => {
    const { check, options: values } = plugin()
    return [...check(freeze(structuredClone(facts)), values)]
  }

  describe(`the check ${plugin().rule}`, () => {
    testOptions(plugin)

    test('has a name, a level, and sentences about what it finds, why, and what to do', () => {
      const { rule, level, what, why, hint } = plugin()
      expect(rule).toMatch(NAME)
      expect(['error', 'warning', 'note']).toContain(level)
      for (const sentence of [what, why, hint]) expect(sentence).toMatch(SENTENCE)
    })

    test('finds the mistake, and says where it is', () => {
      const spots = find(wrong)
      expect(spots.length).toBeGreaterThan(0)
      expect(spots.map((spot) => problemOf(spot, wrong)).filter((problem) => problem !== undefined)).toEqual([])
    })

    test('finds nothing in the correct composition, nor in an empty one', () => {
      expect(find(right)).toEqual([])
      expect(find(compositionFacts({ elements: [] }))).toEqual([])
    })

    test('finds the same again, and changes nothing', () => {
      expect(find(wrong)).toEqual(find(wrong))
    })
  })
}
