import { expect, test } from 'vitest'
import alpha from './index.ts'

test('each preset is a format that carries alpha', () => {
  expect(alpha().map(({ name, render }) => [name, render?.format])).toEqual([
    ['alpha', 'webm'],
    ['alpha-mov', 'mov'],
  ])
})
