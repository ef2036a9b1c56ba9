/** The path of the server's address, which a proxy strips; empty without one. The page has it. */
export const BASE_PATH: string = document.documentElement.dataset.base ?? ''

/** The address of the server. */
export const BASE_URL: string = location.origin + BASE_PATH
