import { expect, test } from 'vitest'
import { type Check, type Mended, type Trial, tryOut } from './check.ts'

const { signal } = new AbortController()

const trial = (look: Trial['look'], more: Partial<Trial> = {}): Trial => ({
  name: 'thing',
  required: true,
  missing: 'renders',
  look,
  ...more,
})

const broken = async (): Promise<never> => {
  throw new Error('connect to https://ann:secret@example.com failed\n    at somewhere (file.js:1:2)')
}

test('an error of any kind is a failed check of one line, without its stack and without credentials', async () => {
  const check = await tryOut(trial(broken, { hint: 'Check the network.', command: 'ping' }), {
    before: [],
    signal,
  })
  expect(check).toMatchObject({ ok: false, missing: 'renders', hint: 'Check the network.', command: 'ping' })
  expect(check.detail).not.toMatch(/secret|\n|file\.js/)
})

test('what depends on a thing that fails is not tried', async () => {
  const before = [{ name: 'browser', ok: false }] as unknown as readonly Check[]
  const check = await tryOut(trial(broken, { needs: ['browser'] }), { before, signal })
  expect(check).toMatchObject({
    ok: false,
    detail: 'not tested, since browser failed',
    hint: 'Fix browser first.',
  })
})

test('a thing is mended only when that is asked for, and is tried again', async () => {
  const mended: Mended[] = []
  let isBroken = true
  const mendable = trial(async () => ({ detail: isBroken ? 'broken' : 'whole', failed: isBroken }), {
    mend: async () => {
      isBroken = false
      return 'glued it'
    },
  })
  expect(await tryOut(mendable, { before: [], signal })).toMatchObject({
    ok: false,
    detail: 'broken',
    command: 'vid doctor --fix',
  })
  const onMended = (repair: Mended) => void mended.push(repair)
  expect(await tryOut(mendable, { before: [], signal, onMended })).toMatchObject({
    ok: true,
    detail: 'whole',
  })
  expect(mended).toEqual([{ name: 'thing', done: 'glued it' }])
})

test('mending that fails leaves the check failed, and says why', async () => {
  const mended: Mended[] = []
  const check = await tryOut(trial(broken, { mend: broken }), {
    before: [],
    signal,
    onMended: (repair) => void mended.push(repair),
  })
  expect(check).toMatchObject({ ok: false, hint: expect.stringMatching(/^It could not be fixed: connect/) })
  expect(JSON.stringify(check)).not.toContain('secret')
  expect(mended).toEqual([])
})

test('a user who stops the command stops the checks', async () => {
  const stop = AbortSignal.abort(new Error('stopped'))
  await expect(tryOut(trial(broken), { before: [], signal: stop })).rejects.toThrow('stopped')
})
