import { checkSuite, compositionFacts } from '@vid/testkit'
import { expect, test } from 'vitest'
import check from './index.ts'

const composition = (color: string) =>
  compositionFacts({
    elements: [{ selector: '#title', text: 'Welcome' }],
    contrasts: [
      {
        element: 0,
        frames: [0, 60],
        frame: 30,
        box: { x: 40, y: 40, width: 200, height: 48 },
        ratio: 12,
        seen: 1,
        color,
        background: '#111111',
        fontSize: 40,
        isBold: false,
      },
    ],
  })

checkSuite(check, { wrong: composition('#fefefe'), right: composition('#ffffff') })

test('colours of the brand are an option', () => {
  const { check: find, options } = check({ colors: ['#fefefe'] })
  expect([...find(composition('#fefefe'), options)]).toEqual([])
  expect([...find(composition('#ffffff'), options)][0]?.message).toBe(
    '"Welcome" is #ffffff, which is no colour of the brand.',
  )
})
