/** One of two films that are compared. */
export type Side =
  | { readonly kind: 'composition'; readonly label: string; readonly projectDir: string }
  | { readonly kind: 'video'; readonly label: string; readonly file: string }
