/** The document of the view. */
declare const html: string;
export default html;
