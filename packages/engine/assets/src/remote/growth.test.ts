import { expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../../../../scripts/dev/growth.ts'
import { addressesIn } from './declared-addresses.ts'

test.each(['url(a),', '//a),', 'import ', 'from(   '])(
  'addresses are found in time in proportion to a text of %j',
  (repeated) => {
    const textOf = (length: number) => repeated.repeat(length / repeated.length)
    expect(growthOf(textOf, (text) => addressesIn(text, 'https://example.com/a.css'))).toBeLessThan(MOST_GROWTH)
  },
)
