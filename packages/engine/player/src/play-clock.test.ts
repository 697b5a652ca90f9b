import { expect, test } from 'vitest'
import { createPlayClock } from './play-clock.ts'

test('it goes on at its speed, stands at speed 0, and continues from where it is by the time of another device', () => {
  let machine = 100
  let sound = 7
  const clock = createPlayClock(() => machine)
  expect(clock.now()).toBe(0)
  clock.set(2, 1.5)
  machine += 2
  expect(clock.now()).toBe(5)
  clock.follow(() => sound)
  expect(clock.now()).toBe(5)
  machine += 10
  expect(clock.now()).toBe(5)
  sound += 2
  expect(clock.now()).toBe(8)
  clock.set(1, 0)
  sound += 5
  expect(clock.now()).toBe(1)
})
