"""sparrow: skeletal approximation enumeration (Yao et al., ESEC/FSE 2021), for every theory."""
