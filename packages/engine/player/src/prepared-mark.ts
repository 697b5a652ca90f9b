/** In the text of a document that has been prepared for a player. */
export const PREPARED_MARK = '<script data-vid-player>'
