// A state folder on a disk that is full: what was accepted is kept, what cannot be is refused by name.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, formOf, jsonOf } from './client.mjs'
import { listed, page } from './server.mjs'

/** Fills a small disk but for a few bytes. */
const fill = (folder, leave) => {
  const file = join(folder, 'ballast')
  for (const step of [2 ** 20, 2 ** 12]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(step), { flag: 'a' })
    } catch (cause) {
      if (cause.code !== 'ENOSPC') throw cause
    }
  }
  if (leave > 0) rmSync(file)
  return () => rmSync(file, { force: true })
}

/** Each attack returns what went wrong. */
export const diskAttacks = {
  'a full disk at upload, acceptance and render': async ({ url, zip }, { state }) => {
    const wrong = []
    const client = connect(url)
    const long = jsonOf({ html: page('red', '', 8), quality: 'draft' })
    const detached = (id, { headers, body }) => ({
      headers: { ...headers, prefer: 'respond-async', 'x-request-id': id },
      body,
    })
    const ids = ['kept-1', 'kept-2', 'kept-3']
    for (const id of ids) await client.json('POST', '/render', detached(id, long))
    const empty = fill(state, 0)
    for (const [what, sent] of Object.entries({
      html: jsonOf({ html: page('blue') }),
      folder: jsonOf({ projectDir: 'c0' }),
      zip: formOf({}, zip),
    })) {
      const { status, body } = await client.json('POST', '/render', detached(`full-${what}`, sent))
      if (status < 500 || !body.error?.code.startsWith('VID_') || body.error.code === 'VID_HTTP_FAILED')
        wrong.push(`${what} on a full disk: ${status} ${JSON.stringify(body)}`)
    }
    if ((await client.send('GET', '/health')).status !== 200) wrong.push('no health on a full disk')
    const ends = []
    for (const id of ids) {
      await client.send('GET', `/render/${id}/stream`)
      const { body } = await client.json('GET', `/render/${id}`)
      ends.push(body.status)
      const code = body.error?.code
      if (body.status !== 'completed' && (body.status !== 'failed' || !code?.startsWith('VID_')))
        wrong.push(`${id}: ${JSON.stringify(body)}`)
      if (code === 'VID_UNEXPECTED' || code === 'VID_HTTP_FAILED') wrong.push(`${id}: ${JSON.stringify(body)}`)
    }
    empty()
    const { status } = await client.json('POST', '/render', jsonOf({ html: page('blue'), quality: 'draft' }))
    if (status !== 200) wrong.push(`after there was space again: ${status}`)
    const left = listed(join(state, 'projects', 'incoming'))
    if (left.length > 0) wrong.push(`uploads left: ${left}`)
    if (listed(join(state, 'requests')).some((name) => name.startsWith('new-'))) wrong.push('a request left')
    client.close()
    console.log(`        accepted before: ${ends.join(', ')}`)
    return wrong
  },
}
