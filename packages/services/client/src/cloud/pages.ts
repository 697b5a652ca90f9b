import type { CloudPage } from '../contract/index.ts'
import { fail } from '../errors.ts'
import type { CloudCall, CloudClient } from './client.ts'

/** Maximum number of pages in a list. */
export const MAX_PAGES = 1000

/** Yields every render of the account, page by page; fails if the list repeats itself or does not end. */
export async function* listAll(
  client: Pick<CloudClient, 'list' | 'url'>,
  first: { readonly limit?: number | undefined; readonly token?: string | undefined } = {},
  call?: CloudCall,
): AsyncGenerator<CloudPage> {
  const { url } = client
  const tokens = new Set<string>()
  let { token } = first
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await client.list({ limit: first.limit, token }, call)
    yield page
    if (!page.has_more || page.next_token === null) return
    token = page.next_token
    if (tokens.has(token)) throw fail('VID_API_PAGES', { url, problem: 'it returns to the same page' })
    tokens.add(token)
  }
  throw fail('VID_API_PAGES', { url, problem: `it has more than ${MAX_PAGES} pages` })
}
