import { expect, test } from 'vitest'
import { placingReason } from './reason.ts'

test('a reason names the result, not the scratch file beside it', () => {
  const cause = new Error("EACCES: permission denied, open '/films/.vid-41-0632b7d8.new'")
  expect(placingReason(cause, '/films/a.mp4')).toBe("EACCES: permission denied, open '/films/a.mp4'")
  expect(placingReason(new Error('no space'), '/films/a.mp4')).toBe('no space')
})
