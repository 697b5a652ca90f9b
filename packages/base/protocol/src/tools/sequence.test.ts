import { expect, test } from 'vitest'
import { createSequence } from './sequence.ts'

test('works run one after another, also after one that fails', async () => {
  const inTurn = createSequence()
  const order: string[] = []
  let end = () => {}
  const first = inTurn(async () => {
    order.push('one begins')
    await new Promise<void>((resolve) => {
      end = resolve
    })
    order.push('one ends')
    throw new Error('failed')
  })
  const second = inTurn(async () => void order.push('two'))
  await Promise.resolve().then(() => end())
  await expect(first).rejects.toThrow('failed')
  await second
  expect(order).toEqual(['one begins', 'one ends', 'two'])
})
