/** Size and length of every composition, in pixels and seconds. */
export const SIZE: { readonly width: number; readonly height: number; readonly seconds: number }

/** The page as a composition, or undefined if it has no body of its own. */
export const makeComposition: (html: string) => string | undefined
