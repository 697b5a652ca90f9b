import { expect, test } from 'vitest'
import { callForHandle, callPage, callWithHandles } from './page-call.ts'

/** A page that records the expressions it evaluates, and always answers with the same value. */
const pageWith = (answer: unknown) => {
  const evaluated: unknown[][] = []
  const evaluate = async (...args: unknown[]) => {
    evaluated.push(args)
    return answer
  }
  return { evaluated, evaluate }
}

/** A page that records the commands it receives, and answers each with the same result. */
const pageAnswering = (result: object) => {
  const commands: { readonly method: string; readonly params: unknown }[] = []
  const send = async (method: string, params?: unknown) => {
    commands.push({ method, params })
    return { result } as never
  }
  return { commands, send }
}

test('a call is one expression with its arguments as JSON, and returns the answer', async () => {
  const page = pageWith([[0.5]])
  expect(await callPage(page, { doing: 'sampling' }, 'volumes', 3, 2, false)).toEqual([[0.5]])
  await callPage(page, { doing: 'checking' }, 'missingGlyphs', '"\u2028é')
  expect(page.evaluated).toEqual([
    ['__vidHost.volumes(3,2,false)', 'sampling', undefined],
    [`__vidHost.missingGlyphs(${JSON.stringify('"\u2028é')})`, 'checking', undefined],
  ])
})

test('a call of the raster capture goes to a separate object, and can be sent before earlier ones are answered', async () => {
  const page = pageWith({ repeats: 1 })
  const ahead = { after: Promise.resolve(), doing: () => 'showing frame 1' }
  expect(await callPage(page, { doing: 'showing', ahead }, 'raster.next', 0, 30)).toEqual({ repeats: 1 })
  expect(page.evaluated).toEqual([['__vidHost.raster.next(0,30)', 'showing', ahead]])
})

test('a name that the page does not have, and arguments of another type, are compile errors', () => {
  const page = pageWith(undefined)
  // @ts-expect-error the page has no such method
  void callPage(page, { doing: 'failing' }, 'seekTo', 1)
  // @ts-expect-error a frame is a number
  void callPage(page, { doing: 'failing' }, 'seek', '1')
  expect(page.evaluated).toHaveLength(2)
})

test('an object of the page is held by a handle, and undefined when there is none', async () => {
  const page = pageAnswering({ objectId: 'o1' })
  expect(await callForHandle(page, 'group', 'videoElement', 'm0')).toEqual({ objectId: 'o1' })
  expect(page.commands).toEqual([
    {
      method: 'Runtime.evaluate',
      params: { expression: '__vidHost.videoElement("m0")', objectGroup: 'group' },
    },
  ])
  expect(await callForHandle(pageAnswering({}), 'group', 'spareVideo')).toBeUndefined()
})

test('handles are passed as the objects that they refer to', async () => {
  const page = pageAnswering({ value: true })
  const shadow = { objectId: 'o1' }
  const spare = { objectId: 'o2' }
  expect(await callWithHandles(page, shadow, 'addOverlayCanvas', 'm0', shadow, spare)).toBe(true)
  expect(page.commands[0]).toMatchObject({
    method: 'Runtime.callFunctionOn',
    params: { objectId: 'o1', arguments: [{ value: 'm0' }, shadow, spare], returnByValue: true },
  })
})
