import { checkSuite, filmFacts } from '@vid/testkit'
import { expect, test } from 'vitest'
import check from './index.ts'

const film = (color: string) =>
  filmFacts({
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

checkSuite(check, { wrong: film('#fefefe'), right: film('#ffffff') })

test('colours of the brand are an option', () => {
  const { check: find, options } = check({ colors: ['#fefefe'] })
  expect([...find(film('#fefefe'), options)]).toEqual([])
  expect([...find(film('#ffffff'), options)][0]?.message).toBe('"Welcome" is #ffffff, which is no colour of the brand.')
})
