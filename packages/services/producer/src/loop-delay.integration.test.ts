import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readManifest, writeProjectZip } from '@vid/project'
import { expect, test } from 'vitest'
import { delayOf, hostilePages } from '../../../../scripts/dev/loop-turns.ts'
import { partOf } from '../../../../scripts/dev/part-of.ts'
import { makeFolder, page, sharedProducer } from './fixtures/producer.ts'

/** Each within the limits of a body. */
const HOSTILE = hostilePages(page())

/** The routes that read compositions, with fields that have little more done with them. */
const ROUTES = [
  ['/lint', {}],
  ['/render', {}],
  ['/render/stream', {}],
  ['/snapshot', { count: 1 }],
] as const

/** A browser lays these out for most of a minute; those in a template are as many for everything else. */
const SLOW_PAGE = 'many elements'

/** What a stream of events, or a still, may make longer; both read every page as `/render` does. */
const LIKE_RENDERS: Readonly<Record<string, ReadonlySet<string>>> = {
  '/render/stream': new Set(['many findings', 'many variables', 'many rules']),
  '/snapshot': new Set(['many variables', 'many attributes', 'a template of many elements']),
}

const isTried = (path: string, what: string): boolean =>
  LIKE_RENDERS[path]?.has(what) ?? (path === '/lint' || what !== SLOW_PAGE)

const CASES = ROUTES.flatMap(([path, fields]) =>
  HOSTILE.filter(([what]) => isTried(path, what)).map(([what, html]) => ({ path, what, fields, html })),
)

/** What a route answers, once it has been asked for the same of a page of people: loading code is no delay by a stranger. */
const answerAndDelay = async (path: string, bodies: readonly [warm: BodyInit, hostile: BodyInit], type?: string) => {
  const { send } = await sharedProducer()
  const ask = async (body: BodyInit) => {
    const reply = await send(path, { method: 'POST', body, ...(type && { headers: { 'content-type': type } }) })
    return { status: reply.status, text: await reply.text() }
  }
  expect(await ask(bodies[0])).toMatchObject({ status: 200 })
  const askBesideHealth = async (body: BodyInit) => {
    const work = ask(body)
    expect((await send('/health')).status).toBe(200)
    return work
  }
  const { delayMs, result } = await delayOf(
    () => askBesideHealth(bodies[1]),
    () => askBesideHealth(bodies[0]),
  )
  return { ...result, delayMs }
}

test.each(partOf(CASES, 14))('$path of $what leaves the event loop to others', async ({ path, fields, html }) => {
  const bodies = [JSON.stringify({ ...fields, html: page() }), JSON.stringify({ ...fields, html })] as const
  const { status, text, delayMs } = await answerAndDelay(path, bodies, 'application/json')
  expect(delayMs).toBe(0)
  if (status !== 200) expect(JSON.parse(text).error.fault).toBe('render')
  expect(text.length).toBeLessThan(2 ** 20)
})

const formOf = async (request: object, files: Readonly<Record<string, string>>): Promise<FormData> => {
  const folder = await makeFolder(files)
  const zip = join(await makeFolder(), 'project.zip')
  await writeProjectZip(folder, await readManifest(folder), zip)
  const form = new FormData()
  form.set('request', JSON.stringify(request))
  form.set('projectZip', new Blob([await readFile(zip)], { type: 'application/zip' }), 'project.zip')
  return form
}

const timeOf = (ms: number) => `00:0${Math.floor(ms / 60_000)}:${((ms % 60_000) / 1000).toFixed(3).padStart(6, '0')}`
const cuesOf = (count: number) =>
  `WEBVTT\n\n${Array.from({ length: count }, (_, n) => `${timeOf(n)} --> ${timeOf(n + 5)}\ncue ${n}\n`).join('\n')}`
const track = '<track kind="captions" src="captions.vtt" srclang="en">'

const PROJECTS: readonly [what: string, request: object, files: Readonly<Record<string, string>>][] = [
  [
    'many cues',
    { captions: 'sidecar' },
    { 'index.html': page().replace('<i ', `${track}<i `), 'captions.vtt': cuesOf(50_000) },
  ],
  [
    'many files',
    {},
    { 'index.html': page(), ...Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${n}.txt`, ''])) },
  ],
  [
    'many rules of an embedded file',
    {},
    {
      'index.html': page().replace('<i ', '<p data-composition-src="inner.html" data-start="0"></p><i '),
      'inner.html': `<template><style>${'p{color:red}'.repeat(40_000)}</style><p>x</p></template>`,
    },
  ],
  [
    'many addresses',
    {},
    {
      'index.html': page().replace('<i ', '<img src="https://a.invalid/x.png" style="display:none"><i '),
      'data.json': Array.from({ length: 200_000 }, (_, n) => `https://a.invalid/${n}`).join('\n'),
    },
  ],
]

test.each(partOf(PROJECTS, 2))('a project with %s leaves the event loop to others', async (_what, request, files) => {
  const bodies = [await formOf({}, { 'index.html': page() }), await formOf(request, files)] as const
  const { status, text, delayMs } = await answerAndDelay('/render', bodies)
  expect({ status, text: text.slice(0, 300) }).toMatchObject({ status: 200 })
  expect(delayMs).toBe(0)
})
