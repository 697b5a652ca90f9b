/** Key prefixes of the kinds of objects in the bucket; results may use none of them. */
export const prefixes = {
  /** Projects: `sites/<siteId>/`. */
  sites: 'sites/',
  /** Work objects of renders: `renders/<renderId>/`, removed by the bucket's lifecycle rules. */
  renders: 'renders/',
  /** Finished segments, kept for later renders for the retention time. */
  segments: 'segments/',
  /** Packages of the function: `functions/<sha256>.zip`, and the list of formats that it supports. */
  functions: 'functions/',
} as const

/** Default prefix of results. */
export const OUTPUTS = 'outputs/'

/**
 * The formats that the function supports, for callers who start renders: they see neither its config nor its package.
 */
export const FORMATS_KEY = `${prefixes.functions}formats.json`

/** Objects of a site: the zip of the project, and its description, which is written last. */
export const siteKeys = (siteId: string) => ({
  zip: `${prefixes.sites}${siteId}/project.zip`,
  description: `${prefixes.sites}${siteId}/site.json`,
})

/** Objects of a render. */
export const renderKeys = (renderId: string) => {
  const folder = `${prefixes.renders}${renderId}/`
  return {
    folder,
    /** Variables that are too large for the input of the execution. */
    variables: `${folder}variables.json`,
    /** The input of the execution for the function, because the state between calls is small. */
    request: `${folder}request.json`,
    plan: `${folder}plan.json`,
    /** Finished segments; different bytes for the same segment have different keys. */
    segment: (index: number, digest: string) => `${folder}segments/${index}-${digest.slice(0, 16)}`,
    /** Prefix of the keys of a segment, which end with the first digits of its digest. */
    segmentsOf: (index: number) => `${folder}segments/${index}-`,
    /** The outcome of a chunk: its segments with their digests. */
    chunk: (index: number, digest: string) => `${folder}chunks/${index}-${digest.slice(0, 16)}.json`,
    /** One object for each start and each end of a call; see call-records.ts. */
    calls: `${folder}calls/`,
    /** The result of the render. */
    result: `${folder}result.json`,
    failure: `${folder}failure.json`,
    /** What players see of a video that is published while it is rendered. */
    stream: `${folder}stream.json`,
  }
}

/**
 * Claims of segments that several renders of a batch would otherwise encode at the same time; stored and removed with
 * the segments.
 */
export const claimPrefix = (batchId: string, shape: string): string => `${prefixes.segments}claims/${batchId}/${shape}/`
