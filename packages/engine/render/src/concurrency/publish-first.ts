import type { RequestOptions } from '@vid/kernel'

/** The options for one of several requests: the first alone is published. */
export const publishFirst = <O extends Pick<RequestOptions, 'publish'>>(options: O, index: number): O =>
  index === 0 ? options : { ...options, publish: undefined }
