import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { PictureShare } from '../../contract.ts'
import type { PacketPicture } from './packet-jobs.ts'
import { openLoans } from './picture-share.ts'

const url = 'http://page/m0/packets'
const picture = (value: number): PacketPicture => ({
  pixels: new Uint8Array(16 * 4).fill(value).buffer,
  wide: 16,
  width: 16,
  height: 1,
})
const firstOf = (given: PacketPicture | undefined) => given && new Uint8Array(given.pixels)[0]

/** Both ends of a share, as two pages have them. */
const openShare = (ticks: readonly number[], urls = [url, url]) => {
  const channel = randomUUID()
  const ends = (['lender', 'borrower'] as const).map((role: PictureShare['role'], index) =>
    openLoans(urls[index] ?? url, { channel, role, ticks }),
  )
  onTestFinished(() => {
    for (const end of ends) end.close()
  })
  const [lender, borrower] = ends
  if (!lender || !borrower) throw new Error('no ends')
  return { lender, borrower }
}

test('a picture that was shown is lent once, as a copy', async () => {
  const { lender, borrower } = openShare([5, 9])
  const shown = picture(7)
  lender.lend(5, shown)
  new Uint8Array(shown.pixels).fill(1)
  const lent = await borrower.borrow(5)
  expect([lent?.wide, lent?.width, lent?.height, firstOf(lent)]).toEqual([16, 16, 1, 7])
  expect(await borrower.borrow(5)).toBeUndefined()
})

test('what is not shared, was not shown, or is of another source is not had, at once', async () => {
  const { lender, borrower } = openShare([5, 9])
  lender.lend(6, picture(6))
  expect(await borrower.borrow(6)).toBeUndefined()
  expect(await borrower.borrow(9)).toBeUndefined()
  const apart = openShare([5], [url, 'http://page/m1/packets'])
  apart.lender.lend(5, picture(5))
  expect(await apart.borrower.borrow(5)).toBeUndefined()
})

test('a borrower who stays far behind is not waited for', async () => {
  const { lender, borrower } = openShare([1, 2, 3])
  for (const tick of [1, 2, 3]) lender.lend(tick, picture(tick))
  expect(await borrower.borrow(1)).toBeUndefined()
  expect(firstOf(await borrower.borrow(2))).toBe(2)
  expect(firstOf(await borrower.borrow(3))).toBe(3)
})

test('a lender that is gone is not waited for', async () => {
  const { lender, borrower } = openShare([1])
  lender.lend(1, picture(1))
  lender.close()
  expect(await borrower.borrow(1)).toBeUndefined()
})
