import { expect, test } from 'vitest'

test('a test cannot send a signal to its own group, nor to everything', () => {
  // Signal 0 asks whether there is a process, and ends nothing where the refusal is missing.
  for (const pid of [0, -1, Number.NaN]) expect(() => process.kill(pid, 0), String(pid)).toThrow('no process')
  expect(process.kill(process.pid, 0)).toBe(true)
})
