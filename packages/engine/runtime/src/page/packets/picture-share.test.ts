import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { PictureShare } from '../../contract/packets.ts'
import type { PacketPicture } from './packet-jobs.ts'
import { openSharedPictures } from './picture-share.ts'

const url = 'http://page/m0/packets'
const picture = (value: number): PacketPicture => ({
  pixels: new Uint8Array(16 * 4).fill(value).buffer,
  stride: 16,
  width: 16,
  height: 1,
})
const firstOf = (packet: PacketPicture | undefined) => packet && new Uint8Array(packet.pixels)[0]

/** Both ends of a share, as two pages have them. */
const openShare = (ticks: readonly number[], urls = [url, url]) => {
  const channel = randomUUID()
  const ends = (['provider', 'consumer'] as const).map((role: PictureShare['role'], index) =>
    openSharedPictures(urls[index] ?? url, { channel, role, ticks }),
  )
  onTestFinished(() => {
    for (const end of ends) end.close()
  })
  const [provider, consumer] = ends
  if (!provider || !consumer) throw new Error('no ends')
  return { provider, consumer }
}

test('a picture that was shown is shared once, as a copy', async () => {
  const { provider, consumer } = openShare([5, 9])
  const original = picture(7)
  provider.keep(5, original)
  new Uint8Array(original.pixels).fill(1)
  const received = await consumer.request(5)
  expect([received?.stride, received?.width, received?.height, firstOf(received)]).toEqual([16, 16, 1, 7])
  expect(await consumer.request(5)).toBeUndefined()
})

test('a picture that is not shared, was not shown, or is of another source is refused at once', async () => {
  const { provider, consumer } = openShare([5, 9])
  provider.keep(6, picture(6))
  expect(await consumer.request(6)).toBeUndefined()
  expect(await consumer.request(9)).toBeUndefined()
  const apart = openShare([5], [url, 'http://page/m1/packets'])
  apart.provider.keep(5, picture(5))
  expect(await apart.consumer.request(5)).toBeUndefined()
})

test('the provider does not keep all pictures for a consumer that falls far behind', async () => {
  const { provider, consumer } = openShare([1, 2, 3])
  for (const tick of [1, 2, 3]) provider.keep(tick, picture(tick))
  expect(await consumer.request(1)).toBeUndefined()
  expect(firstOf(await consumer.request(2))).toBe(2)
  expect(firstOf(await consumer.request(3))).toBe(3)
})

test('a consumer goes on alone when the provider is gone', async () => {
  const { provider, consumer } = openShare([1])
  provider.keep(1, picture(1))
  provider.close()
  expect(await consumer.request(1)).toBeUndefined()
})
