//! Makes the JavaScript glue of a WebAssembly file.

use anyhow::{Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;

/// Reads the file that cargo built and writes the glue and the final file into a folder.
pub fn run(options: &[&str]) -> Result<()> {
    let &[input, folder] = options else {
        return Err(anyhow!("bindgen takes a file and a folder"));
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).web(true)?.typescript(true);
    bindgen.out_name("engine").remove_producers_section(true).reset_state_function(true);
    bindgen.generate(folder)
}
