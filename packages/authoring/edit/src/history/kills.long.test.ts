import { test } from 'vitest'
import { expectWhole } from '../fixtures/killed-writes.ts'

test('a write of four files that is killed at any step leaves the old files or the new ones', async () => {
  await expectWhole(1)
}, 300_000)
